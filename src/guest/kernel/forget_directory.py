"""Stands before a program that is a file of a directory in which others may write: no module is imported from there."""
import sys

sys.path.pop(0)

"""Refusals of the host."""


class Refused(Exception):
    """Refusal whose text says what to do instead."""

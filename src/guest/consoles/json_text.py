"""JSON as the notebook's file and its kernels write it."""
import json


def parse_json(text):
    """Parses JSON, with None for NaN and infinity, which JSON lacks, and Python writes and reads all the same."""
    return json.loads(text, parse_constant=lambda name: None)

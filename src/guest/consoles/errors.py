"""Why the host does not do what it was asked."""


class Refused(Exception):
    """Its text says what to do instead."""

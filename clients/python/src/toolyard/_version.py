"""Version of the client, as it tells the server."""

__version__ = "0.1.0"
USER_AGENT = f"toolyard-python/{__version__}"

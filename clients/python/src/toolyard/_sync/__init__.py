"""The client without `await`, made of `_async`."""

"""The names of other packages, over Toolyard."""

"""Output of a module, without the secrets of its call."""
from ..output import Output


class Masked(Output):
    """Masks secrets in output, in which they may come in pieces."""

    def __init__(self, hidden):
        super().__init__('python')
        self.hidden, self.held = hidden, b''
        self.longest = max(map(len, hidden), default=1)

    def write(self, data):
        data = self.held + data
        for secret in self.hidden:
            data = data.replace(secret, b'***')
        keep = len(data) - self.longest + 1
        self.held = data[max(0, keep):]
        if keep > 0:
            super().write(data[:keep])

    def flush(self):
        super().write(self.held)
        self.held = b''

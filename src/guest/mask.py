"""Secrets in output that comes in pieces."""


class Mask:
    """Masks secrets in bytes that come in pieces: an end that may be the begin of a secret is held back until more is known."""

    def __init__(self, secrets, max_held):
        self.secrets = sorted((secret for secret in secrets if secret), key=len, reverse=True)
        self.max_held, self.held = max_held, b''

    def feed(self, data):
        data = self.held + data
        for secret in self.secrets:
            data = data.replace(secret, b'***')
        end = min((self.begin(data, secret) for secret in self.secrets), default=len(data))
        self.held = data[end:]
        return data[:end]

    def begin(self, data, secret):
        """Place of the longest end of `data` that begins `secret`."""
        at = max(0, len(data) - min(len(secret) - 1, self.max_held))
        while True:
            at = data.find(secret[:1], at)
            if at == -1:
                return len(data)
            if secret.startswith(data[at:]):
                return at
            at += 1

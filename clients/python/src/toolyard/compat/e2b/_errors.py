"""Errors by E2B's names."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Generator, Optional

from ... import _errors as own  # pyright: ignore[reportPrivateUsage]: it is of this package


class SandboxException(Exception):
    """Base of errors of a sandbox."""


class TimeoutException(SandboxException):
    """Something took too long."""


class InvalidArgumentException(SandboxException):
    """An argument is wrong, or means what this server does not have."""


class NotEnoughSpaceException(SandboxException):
    """There is no room."""


class NotFoundException(SandboxException):
    """Nothing is there."""


class FileNotFoundException(NotFoundException):
    """There is no such file."""


class SandboxNotFoundException(NotFoundException):
    """There is no such sandbox, or not any more."""


class RateLimitException(SandboxException):
    """There were too many requests."""


class AuthenticationException(Exception):
    """The key is not good, or may not do this."""


class CommandExitException(SandboxException):
    """A command ended with another exit code than 0."""

    def __init__(self, stdout: str, stderr: str, exit_code: int, error: Optional[str] = None) -> None:
        super().__init__(f"Command exited with code {exit_code} and error:\n{stderr}")
        self.stdout = stdout
        self.stderr = stderr
        self.exit_code = exit_code
        self.error = error


@contextmanager
def e2b_errors() -> Generator[None, None, None]:
    """Raises errors of the client as those of E2B."""
    try:
        yield
    except own.SessionNotFound as error:
        raise SandboxNotFoundException(str(error)) from error
    except own.NotFound as error:
        raise FileNotFoundException(str(error)) from error
    except (own.Unauthenticated, own.Forbidden) as error:
        raise AuthenticationException(str(error)) from error
    except own.InvalidInput as error:
        raise InvalidArgumentException(str(error)) from error
    except own.RateLimited as error:
        raise RateLimitException(str(error)) from error
    except own.InsufficientStorage as error:
        raise NotEnoughSpaceException(str(error)) from error
    except (own.TimedOut, own.Timeout) as error:
        raise TimeoutException(str(error)) from error
    except own.ToolFailed as error:
        kinds = {"timeout": TimeoutException, "not_found": FileNotFoundException, "invalid_input": InvalidArgumentException}
        raise kinds.get(error.code, SandboxException)(str(error)) from error
    except own.ToolyardError as error:
        raise SandboxException(str(error)) from error

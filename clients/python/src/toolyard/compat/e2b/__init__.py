"""Names of `e2b` and `e2b_code_interpreter`, over sessions of Toolyard: the commands, files and `run_code` of most programs.

Relative paths, and those below /home/user, are of the session's root. What is not there is an AttributeError or a TypeError.
"""

from ._async import AsyncSandbox, AsyncSandboxPaginator
from ._errors import (
    AuthenticationException,
    CommandExitException,
    FileNotFoundException,
    InvalidArgumentException,
    NotEnoughSpaceException,
    NotFoundException,
    RateLimitException,
    SandboxException,
    SandboxNotFoundException,
    TimeoutException,
)
from ._models import (
    CommandResult,
    EntryInfo,
    Execution,
    ExecutionError,
    FileType,
    Logs,
    OutputMessage,
    Result,
    SandboxInfo,
    SandboxQuery,
    SandboxState,
    WriteInfo,
)
from ._sandbox import Sandbox
from ._sync import SandboxPaginator

__all__ = [
    "AsyncSandbox",
    "AsyncSandboxPaginator",
    "AuthenticationException",
    "CommandExitException",
    "CommandResult",
    "EntryInfo",
    "Execution",
    "ExecutionError",
    "FileNotFoundException",
    "FileType",
    "InvalidArgumentException",
    "Logs",
    "NotEnoughSpaceException",
    "NotFoundException",
    "OutputMessage",
    "RateLimitException",
    "Result",
    "Sandbox",
    "SandboxException",
    "SandboxInfo",
    "SandboxNotFoundException",
    "SandboxPaginator",
    "SandboxQuery",
    "SandboxState",
    "TimeoutException",
    "WriteInfo",
]

"""Client of Toolyard: sessions with files, a shell, Python and tools for LLM agents."""

from . import types
from ._async._calls import AsyncCall
from ._async._client import AsyncToolyard
from ._async._events import AsyncStream
from ._async._files import AsyncFiles
from ._async._pages import AsyncPages
from ._async._session import AsyncSession
from ._errors import (
    AnswerNotKept,
    ApiError,
    CodeFailed,
    CommandFailed,
    Conflict,
    ConnectionFailed,
    Forbidden,
    Gone,
    InsufficientStorage,
    Internal,
    InvalidInput,
    KeyInUse,
    KeyReused,
    LimitExceeded,
    MethodNotAllowed,
    NotFound,
    OutcomeUnknown,
    PreconditionFailed,
    RangeNotSatisfiable,
    RateLimited,
    SessionNotFound,
    TimedOut,
    Timeout,
    ToolFailed,
    ToolyardError,
    Unauthenticated,
    Unavailable,
    Upstream,
)
from ._hooks import Hooks, RequestEvent, ResponseEvent, RetryEvent
from ._progress import Progress, ProgressLine
from ._results import Cell, CellOutput, CodeError, CommandResult, Image, ToolResult
from ._retry import RetryPolicy
from ._sse import ServerEvent
from ._sync._calls import Call
from ._sync._client import Toolyard
from ._sync._events import Stream
from ._sync._files import Files
from ._sync._pages import Pages
from ._sync._session import Session
from ._values import Diff, Rows
from ._version import __version__
from ._watch import WatchEvent

__all__ = [
    "AnswerNotKept",
    "ApiError",
    "AsyncCall",
    "AsyncFiles",
    "AsyncPages",
    "AsyncSession",
    "AsyncStream",
    "AsyncToolyard",
    "Call",
    "Cell",
    "CellOutput",
    "CodeError",
    "CodeFailed",
    "CommandFailed",
    "CommandResult",
    "Conflict",
    "ConnectionFailed",
    "Diff",
    "Files",
    "Forbidden",
    "Gone",
    "Hooks",
    "Image",
    "InsufficientStorage",
    "Internal",
    "InvalidInput",
    "KeyInUse",
    "KeyReused",
    "LimitExceeded",
    "MethodNotAllowed",
    "NotFound",
    "OutcomeUnknown",
    "Pages",
    "PreconditionFailed",
    "Progress",
    "ProgressLine",
    "RangeNotSatisfiable",
    "RateLimited",
    "RequestEvent",
    "ResponseEvent",
    "RetryEvent",
    "RetryPolicy",
    "Rows",
    "ServerEvent",
    "Session",
    "SessionNotFound",
    "Stream",
    "TimedOut",
    "Timeout",
    "ToolFailed",
    "ToolResult",
    "Toolyard",
    "ToolyardError",
    "Unauthenticated",
    "Unavailable",
    "Upstream",
    "WatchEvent",
    "__version__",
    "types",
]

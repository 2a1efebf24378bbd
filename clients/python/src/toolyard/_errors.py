"""Errors of the client: what the server refused, what never reached it, and what a tool could not do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Type

if TYPE_CHECKING:
    from ._results import Cell, CommandResult


class ToolyardError(Exception):
    """Base of all errors of the client."""

    results: Sequence[Any] = ()
    """Results of the calls of a message before the one that failed, where `toolyard.adapters` raised it."""


class ConnectionFailed(ToolyardError):
    """No whole answer came, however often the request was sent."""


class TimedOut(ConnectionFailed):
    """No answer came in time. What was asked for may have been done."""


class ApiError(ToolyardError):
    """A problem (RFC 9457) that the server answered. Its class is by `code`."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        self.status = status
        """Status of HTTP."""
        self.problem: Dict[str, Any] = dict(problem)
        """The whole answer, with what only some problems have."""
        self.code = str(problem.get("code", f"http_{status}"))
        """What happened, for programs."""
        self.detail = str(problem.get("detail", problem.get("title", "")))
        """What was wrong."""
        self.hint = str(problem.get("hint", ""))
        """What to do next."""
        self.retryable = bool(problem.get("retryable", status in (429, 502, 503, 504)))
        """Whether the very same request may succeed later."""
        request_id = problem.get("request_id")
        self.request_id: Optional[str] = str(request_id) if request_id else None
        """Id to report."""
        super().__init__(f"{self.detail} ({self.hint})" if self.hint else self.detail)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(status={self.status}, code={self.code!r}, detail={self.detail!r})"


class InvalidInput(ApiError):
    """The request is wrong: correct what the detail names."""


class Unauthenticated(ApiError):
    """There is no key, or it is not good."""


class Forbidden(ApiError):
    """The key may not do this."""


class NotFound(ApiError):
    """Nothing is there."""


class SessionNotFound(NotFound):
    """The session was never made, or was removed."""


class Gone(NotFound):
    """A link has ended."""


class Conflict(ApiError):
    """What is asked for exists already, or somebody else is changing it."""


class PreconditionFailed(Conflict):
    """The file, or the newest commit, is another one by now."""


class KeyInUse(Conflict):
    """The first request with this Idempotency-Key is still under way."""


class OutcomeUnknown(Conflict):
    """A crash cut off the first request with this Idempotency-Key: look at what the detail names."""


class AnswerNotKept(Conflict):
    """The request was done, and its answer is kept no longer."""


class KeyReused(ApiError):
    """Another request had this Idempotency-Key."""


class LimitExceeded(ApiError):
    """A size or a number is too large: the same again is refused again."""


class RateLimited(ApiError):
    """There were too many requests for now."""


class InsufficientStorage(ApiError):
    """The server, or the tenant, has no room."""


class Timeout(ApiError):
    """The server ran out of time."""


class Unavailable(ApiError):
    """The server was restarted meanwhile, or takes no requests for now."""


class Upstream(ApiError):
    """Something that the server depends on failed."""


class Internal(ApiError):
    """The server failed: report `request_id`."""


class RangeNotSatisfiable(ApiError):
    """The file has no such part."""


class MethodNotAllowed(ApiError):
    """The path does not have this method: the client and the server are of different versions."""


BY_CODE: Dict[str, Type[ApiError]] = {
    "invalid_input": InvalidInput,
    "unauthenticated": Unauthenticated,
    "forbidden": Forbidden,
    "not_found": NotFound,
    "session_not_found": SessionNotFound,
    "gone": Gone,
    "conflict": Conflict,
    "precondition_failed": PreconditionFailed,
    "key_in_use": KeyInUse,
    "outcome_unknown": OutcomeUnknown,
    "answer_not_kept": AnswerNotKept,
    "key_reused": KeyReused,
    "limit_exceeded": LimitExceeded,
    "rate_limited": RateLimited,
    "insufficient_storage": InsufficientStorage,
    "timeout": Timeout,
    "unavailable": Unavailable,
    "upstream": Upstream,
    "internal": Internal,
    "range_not_satisfiable": RangeNotSatisfiable,
    "method_not_allowed": MethodNotAllowed,
}
"""Class of a problem by its code."""

_BY_STATUS: Dict[int, Type[ApiError]] = {
    401: Unauthenticated,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    412: PreconditionFailed,
    413: LimitExceeded,
    429: RateLimited,
    502: Upstream,
    503: Unavailable,
    504: Timeout,
}


def api_error(status: int, problem: Mapping[str, Any]) -> ApiError:
    """Error of a problem. What came from something between, such as a proxy, is judged by its status."""
    kind = BY_CODE.get(str(problem.get("code"))) or _BY_STATUS.get(status) or ApiError
    return kind(status, problem)


class ToolFailed(ToolyardError):
    """A tool ran and could not do it, never ran, or was cut off."""

    def __init__(self, tool: str, call_id: Optional[str], state: str, error: Mapping[str, Any]) -> None:
        self.tool = tool
        self.call_id = call_id
        self.state = state
        """`failed`, `refused` (the tool never ran) or `lost` (a restart of the server cut it off)."""
        self.code = str(error.get("code", state))
        """What happened, in the words of problems."""
        self.message = str(error.get("message", f"the call is {state}"))
        self.data: Dict[str, Any] = dict(error.get("data") or {})
        """What the tool can show although it failed, such as the output of a command until its deadline."""
        super().__init__(f"{tool}: {self.message}")


class CommandFailed(ToolyardError):
    """A command ended with another exit code than 0, and `check` was asked for."""

    def __init__(self, result: CommandResult) -> None:
        self.result = result
        last = (result.stderr or result.stdout).strip()[-2_000:]
        super().__init__(f"exit code {result.exit_code}" + (f": {last}" if last else ""))


class CodeFailed(ToolyardError):
    """Python code raised, and `check` was asked for."""

    def __init__(self, result: Cell) -> None:
        self.result = result
        super().__init__(result.error.traceback if result.error else "the code failed")

# Made of _async/_transport.py by making/make_sync.py; do not edit.
"""Requests over HTTP: sent again where that is safe, and told to the hooks."""

from __future__ import annotations

import copy
import json
import math
import time
import uuid
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generator, Dict, Mapping, Optional, Union, cast

import httpx

from .._body import Body
from .._errors import ApiError, ConnectionFailed, KeyInUse, TimedOut, ToolyardError, api_error
from .._hooks import Hooks, RequestEvent, ResponseEvent, RetryEvent
from .._retry import RetryPolicy, retry_after_of
from .._version import USER_AGENT

Query = Mapping[str, Union[str, int, bool, None]]

LEAST_SECONDS = 0.001
"""Seconds that an attempt waits at least: 0 would fail before it is sent."""
MAX_PROBLEM_BYTES = 1024 * 1024
"""Bytes of a refusal that are read."""


@dataclass
class Request:
    """What is sent, each time with the same Idempotency-Key."""

    method: str
    path: str
    query: Query = field(default_factory=lambda: {})
    json: Any = None
    body: Union[bytes, Body, None] = None
    headers: Mapping[str, str] = field(default_factory=lambda: {})
    idempotency_key: Optional[str] = None
    """One of its own for each request by default; what only reads has none."""
    timeout: Optional[float] = None
    """Seconds that one attempt may wait for each piece of the answer. By default the client's."""
    patience: float = 60.0
    """Seconds that a repetition waits for its own first attempt, where that is still under way."""
    deadline: Optional[float] = None
    """Moment of `time.monotonic` at which nobody waits any more, whatever else is said."""

    def left(self) -> float:
        """Seconds until its deadline, 0 at least."""
        return math.inf if self.deadline is None else max(0.0, self.deadline - time.monotonic())


@dataclass(frozen=True)
class Answer:
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    content: bytes

    def json(self) -> Any:
        try:
            return json.loads(self.content)
        except ValueError as error:
            raise ToolyardError("the answer is no JSON: is this the address of a Toolyard server?") from error


class Transport:
    """Connections to one server with one key."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str],
        timeout: float,
        retries: RetryPolicy,
        hooks: Hooks,
        http_client: Optional[httpx.Client],
    ) -> None:
        self.base_url = base_url.rstrip("/")
        self.timeout = timeout
        self.retries = retries
        self._longest: Optional[float] = None
        self._hooks = hooks
        self._owns_client = http_client is None
        self._client = http_client or httpx.Client(timeout=timeout)
        self._key_headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    def close(self) -> None:
        """Closes the connections, unless they are those of a client that was given."""
        if self._owns_client:
            self._client.close()

    def within(self, seconds: float) -> Transport:
        """The same connections, by which no attempt waits longer than so many seconds."""
        other = copy.copy(self)
        other._longest = seconds
        return other

    def request(self, request: Request) -> Answer:
        """Sends it until it is answered. Raises ApiError for a refusal, ConnectionFailed where no answer came."""
        response = self._answered(request, whole=True)
        return Answer(response.status_code, response.headers, response.content)

    @contextmanager
    def stream(self, request: Request) -> Generator[httpx.Response, None, None]:
        """The answer as its head has come. What breaks off behind the head is for the caller."""
        response = self._answered(request, whole=False)
        try:
            yield response
        finally:
            response.close()

    def _answered(self, request: Request, whole: bool) -> httpx.Response:
        """First answer that is no refusal: its head, or all of it."""
        if request.method not in ("GET", "HEAD") and request.idempotency_key is None:
            request.idempotency_key = uuid.uuid4().hex
        repeatable = not isinstance(request.body, Body) or request.body.repeatable
        patient_until = time.monotonic() + request.patience
        attempt, retry = 0, 0
        lost: Optional[ConnectionFailed] = None
        while True:
            attempt += 1
            retry_after: Optional[float] = None
            failure: Union[ApiError, ConnectionFailed]
            try:
                response = self._send(request, attempt)
                if response.status_code < 400:
                    return _read(response) if whole else response
                retry_after = retry_after_of(response.headers)
                failure = _refusal(response)
            except ConnectionFailed as error:
                failure = lost = error
            # That its first attempt is still under way says less than what became of the answer to that.
            last = lost if lost is not None and isinstance(failure, KeyInUse) else failure
            if not repeatable or (isinstance(failure, ApiError) and not failure.retryable):
                raise failure
            # It is the same request that is under way: its answer comes, and is worth more than another attempt.
            if isinstance(failure, KeyInUse) and time.monotonic() < patient_until:
                delay: Optional[float] = retry_after or 1.0
            else:
                retry += 1
                delay = self.retries.delay(retry, retry_after)
            if delay is None or delay >= request.left():
                raise last
            self._hooks.retry(RetryEvent(request.method, request.path, attempt, delay, str(failure)))
            time.sleep(delay)

    def _send(self, request: Request, attempt: int) -> httpx.Response:
        """Sends it once. Raises ConnectionFailed."""
        headers = httpx.Headers({"User-Agent": USER_AGENT, **request.headers})
        if request.idempotency_key is not None:
            headers["Idempotency-Key"] = request.idempotency_key
        content: Any = request.body
        if isinstance(request.body, Body):
            content = request.body.chunks()
            if request.body.length is not None:
                headers["Content-Length"] = str(request.body.length)
        elif request.json is not None:
            content = json.dumps(request.json, ensure_ascii=False).encode("utf-8", "surrogatepass")
            headers["Content-Type"] = "application/json"
        query = {key: _word(value) for key, value in request.query.items() if value is not None}
        timeout = self.timeout if request.timeout is None else request.timeout
        timeout = timeout if self._longest is None else min(timeout, self._longest)
        timeout = max(LEAST_SECONDS, min(timeout, request.left()))
        self._hooks.request(RequestEvent(request.method, request.path, attempt, request.idempotency_key, headers))
        headers.update(self._key_headers)
        began = time.monotonic()
        try:
            built = self._client.build_request(
                request.method,
                self.base_url + request.path,
                params=query,
                content=content,
                headers=headers,
                timeout=httpx.Timeout(timeout, connect=min(timeout, 30.0)),
            )
            response = self._client.send(built, stream=True, follow_redirects=False)
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError) as error:
            raise ToolyardError(f"this request cannot be sent: {error}") from error
        except httpx.TransportError as error:
            raise _failed(error) from error
        seconds = time.monotonic() - began
        status, request_id = response.status_code, response.headers.get("x-request-id")
        self._hooks.response(ResponseEvent(request.method, request.path, attempt, status, seconds, request_id))
        if 300 <= status < 400 and status != 304:
            response.close()
            raise ToolyardError(f"the server leads elsewhere ({status}): set base_url to where it really is")
        return response


def _read(response: httpx.Response) -> httpx.Response:
    """The response with its content. Raises ConnectionFailed."""
    try:
        response.read()
    except httpx.TransportError as error:
        raise _failed(error) from error
    finally:
        response.close()
    return response


def _refusal(response: httpx.Response) -> ApiError:
    """Error of an answer that refuses."""
    content = b""
    try:
        for piece in response.iter_bytes():
            content += piece
            if len(content) > MAX_PROBLEM_BYTES:
                break
        problem = json.loads(content)
    except (httpx.TransportError, ValueError):
        problem = None
    finally:
        response.close()
    if not isinstance(problem, dict):
        problem = {"detail": f"HTTP {response.status_code} {response.reason_phrase}"}
    return api_error(response.status_code, cast(Dict[str, Any], problem))


def _failed(error: httpx.TransportError) -> ConnectionFailed:
    words = str(error) or type(error).__name__
    if isinstance(error, httpx.TimeoutException):
        return TimedOut(f"no answer came in time ({words})")
    return ConnectionFailed(f"the connection failed ({words})")


def _word(value: Union[str, int, bool, None]) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)

# Made of _async/_calls.py by making/make_sync.py; do not edit.
"""Calls of tools, waited for, followed, and begun."""

from __future__ import annotations

import time
from typing import Any, Generator, Dict, List, Mapping, Optional, Sequence, Union, cast
from urllib.parse import quote


from .. import types
from .._callbacks import Told, tell
from .._errors import ApiError, ToolFailed, TimedOut, ToolyardError, api_error
from .._results import ToolResult
from .._sse import ServerEvent
from ._events import SILENCE_SECONDS, Stream, server_events
from ._pages import Pages
from ._transport import Transport, Request

CALL_SECONDS = 300.0
"""How long a call without a `timeout` among its arguments is waited for. One that may last longer is followed."""
SPARE_SECONDS = 60.0
"""Time besides that of a call's own: for its turn, and for its sandbox to start."""
WAIT_SECONDS = 30
"""Seconds of one look at a begun call."""


class Calls:
    """Calls of one session."""

    def __init__(self, transport: Transport, session_path: str) -> None:
        self._transport = transport
        self._path = f"{session_path}/calls"

    def answer(
        self,
        tool: str,
        arguments: Mapping[str, Any],
        options: Mapping[str, Any],
        on_stdout: Told[str] = None,
        on_stderr: Told[str] = None,
        on_progress: Told[str] = None,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.CallAnswer:
        """Answer of a call that is `done`, or `pending` when the time is over. Raises ToolFailed for any other."""
        seconds = timeout if timeout is not None else _seconds_of(arguments) + SPARE_SECONDS
        deadline = time.monotonic() + seconds
        body: Dict[str, Any] = {"tool": tool, "arguments": dict(arguments), **options}
        listened = any(callback is not None for callback in (on_stdout, on_stderr, on_progress))
        request = Request("POST", self._path, json=body, idempotency_key=idempotency_key, deadline=deadline)
        request.timeout = request.patience = seconds
        # A connection that is silent for longer may be cut on its way.
        if listened or seconds > CALL_SECONDS + SPARE_SECONDS:
            answer = self._listen(request, on_stdout, on_stderr, on_progress)
        else:
            answer = cast(types.CallAnswer, (self._transport.request(request)).json())
        while answer["state"] == "pending" and "next" in answer and time.monotonic() < deadline:
            time.sleep(answer.get("retry_after_ms", 1_000) / 1_000)
            following = answer["next"]
            body = {"tool": following["tool"], "arguments": following["args"], **options}
            request = Request("POST", self._path, json=body, deadline=deadline)
            request.timeout = request.patience = seconds
            try:
                answer = cast(types.CallAnswer, (self._transport.request(request)).json())
            except TimedOut:
                break
        return _good(answer)

    def _listen(
        self,
        request: Request,
        on_stdout: Told[str],
        on_stderr: Told[str],
        on_progress: Told[str],
    ) -> types.CallAnswer:
        request.headers = {"Accept": "text/event-stream"}
        request.timeout = SILENCE_SECONDS
        with Stream(self._events(request)) as events:
            for event in events:
                if event.name == "stdout":
                    tell(on_stdout, str(event.data["text"]))
                elif event.name == "stderr":
                    tell(on_stderr, str(event.data["text"]))
                elif event.name == "progress":
                    tell(on_progress, str(event.data["line"]))
                elif event.name == "gap":
                    # Pieces that are no longer kept may be of either: it is said once.
                    where = event.data.get("stream", "stdout" if on_stdout is not None else "stderr")
                    if "missed_lines" in event.data:
                        tell(on_progress, f"[… {event.data['missed_lines']} lines not shown …]")
                    else:
                        tell(on_stderr if where == "stderr" else on_stdout, _gap(event.data))
                elif event.name in ("result", "error"):
                    return _ended(event)
        raise ToolyardError("the events of the call ended without its answer")

    def begin(
        self, tool: str, arguments: Mapping[str, Any], options: Mapping[str, Any], idempotency_key: Optional[str]
    ) -> Call:
        """Begins a call, and does not wait for it."""
        body = {"tool": tool, "arguments": dict(arguments), **options}
        headers = {"Prefer": "respond-async"}
        request = Request("POST", self._path, json=body, headers=headers, idempotency_key=idempotency_key)
        answer = (self._transport.request(request)).json()
        return Call(self, str(answer["call_id"]), str(answer["tool"]))

    def batch(
        self, calls: Sequence[Mapping[str, Any]], mode: str, stop_on_error: bool, timeout: Optional[float]
    ) -> List[Union[ToolResult, ToolFailed, ApiError]]:
        """Results of several calls, in their order, with an error in the place of each that failed."""
        body = {"calls": [dict(call) for call in calls], "mode": mode, "stop_on_error": stop_on_error}
        given = sum(_seconds_of(call.get("arguments", {})) for call in calls) + SPARE_SECONDS
        seconds = timeout if timeout is not None else given
        request = Request("POST", f"{self._path}:batch", json=body, deadline=time.monotonic() + seconds)
        request.timeout = request.patience = seconds
        answer = cast(types.CallBatchAnswer, (self._transport.request(request)).json())
        return [_batched(one) for one in answer["data"]]

    def pages(self, state: Optional[str], tool: Optional[str]) -> Pages[types.ListedCall]:
        return Pages(self._transport, self._path, {"state": state, "tool": tool})

    def get(self, call_id: str, wait: int = 0) -> types.Call:
        """One call as it is now, or when it has ended or so many seconds are over."""
        request = Request("GET", self._of(call_id), {"wait": wait or None}, timeout=self._transport.timeout + wait)
        return cast(types.Call, (self._transport.request(request)).json())

    def cancel(self, call_id: str) -> types.Call:
        request = Request("POST", f"{self._of(call_id)}/cancel")
        return cast(types.Call, (self._transport.request(request)).json())

    def follow(self, call_id: str) -> Stream[ServerEvent]:
        """Events of a call from its beginning."""
        headers = {"Accept": "text/event-stream"}
        path = f"{self._of(call_id)}/events"
        return Stream(self._events(Request("GET", path, headers=headers, timeout=SILENCE_SECONDS)))

    def _events(self, request: Request) -> Generator[ServerEvent, None, None]:
        def path_of(event: ServerEvent) -> Optional[str]:
            return f"{self._of(str(event.data['call_id']))}/events" if event.name == "call" else None

        return server_events(self._transport, request, path_of, lambda event: event.name in ("result", "error"))

    def _of(self, call_id: str) -> str:
        return f"{self._path}/{quote(call_id, safe='')}"


class Call:
    """A call that was begun: it goes on whoever waits."""

    def __init__(self, calls: Calls, call_id: str, tool: str) -> None:
        self._calls = calls
        self.id = call_id
        self.tool = tool

    def follow(self) -> Stream[ServerEvent]:
        """What happens to it, from its beginning: `stdout`, `stderr`, `progress`, and `result` or `error` as the last."""
        return self._calls.follow(self.id)

    def look(self) -> types.Call:
        """The call as it is now."""
        return self._calls.get(self.id)

    def wait(self, timeout: Optional[float] = None) -> ToolResult:
        """Its result. Raises TimedOut when the time is over, ToolFailed for a call that failed."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            left = float(WAIT_SECONDS) if deadline is None else deadline - time.monotonic()
            call = self._calls.get(self.id, max(0, min(WAIT_SECONDS, int(left))))
            if not call["running"]:
                return ToolResult(_answer_of(call))
            if deadline is not None and time.monotonic() >= deadline:
                raise TimedOut(f"call {self.id} still runs")
            if left < 1:
                time.sleep(max(0.0, left))

    def cancel(self) -> types.Call:
        """Ends it. One that has ended stays as it is."""
        return self._calls.cancel(self.id)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r}, tool={self.tool!r})"


def _seconds_of(arguments: Mapping[str, Any]) -> float:
    given = arguments.get("timeout")
    return float(given) if isinstance(given, (int, float)) and given > 0 else CALL_SECONDS


def _good(answer: types.CallAnswer) -> types.CallAnswer:
    """The answer, if it has a result."""
    if answer["state"] in ("failed", "refused", "lost") or "error" in answer:
        error = cast(Mapping[str, Any], answer.get("error", {}))
        raise ToolFailed(answer["tool"], answer["call_id"], answer["state"], error)
    return answer


def _ended(event: ServerEvent) -> types.CallAnswer:
    """Answer in the last event of a call. Raises ApiError for a call that never ran, as alone it would have been."""
    if "state" not in event.data and "code" in event.data:
        raise api_error(int(event.data.get("status", 400)), event.data)
    return cast(types.CallAnswer, event.data)


def _gap(data: Mapping[str, Any]) -> str:
    """Line that stands for output that came too fast, or is no longer kept."""
    skipped = f"{data['skipped_bytes']} bytes of " if "skipped_bytes" in data else ""
    return f"\n[… {skipped}output not shown …]\n"


def _answer_of(call: types.Call) -> types.CallAnswer:
    seen = cast(Dict[str, Any], call)
    kept = ("call_id", "tool", "state", "receipt", "error", "files", "more_files", "files_shared")
    answer: Dict[str, Any] = {key: seen[key] for key in kept if key in seen}
    answer.update(seen.get("result", {"text": call["answer"]}))
    return _good(cast(types.CallAnswer, answer))


def _batched(one: types.CallBatchAnswerDataItem) -> Union[ToolResult, ToolFailed, ApiError]:
    if "call" not in one:
        return api_error(one["status"], cast(Mapping[str, Any], one.get("problem", {})))
    try:
        return ToolResult(_good(one["call"]))
    except ToolFailed as failed:
        return failed

"""One session: what its agent does, and what became of its files."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Type, Union, cast
from urllib.parse import parse_qs, quote, urlsplit

from .. import types
from .._callbacks import Told
from .._errors import ApiError, NotFound, ToolFailed, ToolyardError
from .._hooks import logger
from .._results import Cell, CommandResult, ToolResult
from .._sse import ServerEvent
from .._values import Diff
from ._calls import AsyncCall, AsyncCalls
from ._events import AsyncStream
from ._files import AsyncFiles, Moment
from ._opening import Opening
from ._pages import AsyncPages
from ._snapshots import AsyncSnapshots
from ._transport import AsyncTransport, Query, Request

MAX_DIFF_FILES = 10_000
"""Files of one Diff."""


class AsyncSession:
    """A session. As a context manager it is deleted at the end, unless it is to be kept."""

    def __init__(self, transport: AsyncTransport, info: types.Session, keep: bool) -> None:
        self._transport = transport
        self._path = f"/v1/sessions/{quote(info['name'], safe='')}"
        self._calls = AsyncCalls(transport, self._path)
        self.info = info
        """The session as it was when it was last looked at; see `refresh`."""
        self.keep = keep
        """Whether it stays behind the end of `with`."""
        self.files = AsyncFiles(transport, self._path)
        self.snapshots = AsyncSnapshots(transport, self._path)

    @property
    def name(self) -> str:
        return self.info["name"]

    def with_timeout(self, seconds: float) -> AsyncSession:
        """The same session, no attempt of whose requests waits longer than so many seconds: `s.with_timeout(5).files.read("a.txt")`."""
        return AsyncSession(self._transport.within(seconds), self.info, self.keep)

    async def run(
        self,
        command: str,
        *,
        cwd: Optional[str] = None,
        timeout: Optional[float] = None,
        env: Optional[Mapping[str, str]] = None,
        stdin: Optional[str] = None,
        max_chars: Optional[int] = None,
        on_stdout: Told[str] = None,
        on_stderr: Told[str] = None,
        check: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> CommandResult:
        """Runs bash commands, in `code_run` unless `cwd` names another directory of the session (`.` is its root).

        `timeout` is in seconds; without one a command has a minute. What it prints comes to `on_stdout` and `on_stderr` while it
        runs; where that is too fast, a line stands for what is not shown. Of a long output the result has the start and the end,
        16,000 characters or up to 65,536 `max_chars`, and `full_output` names a file with all of it. Another exit code than 0 is a result; `check` makes it a CommandFailed. Raises ToolFailed with the code `timeout`
        and the output so far for a command that was stopped.
        """
        given: Dict[str, Any] = {"workdir": cwd, "timeout": timeout, "env": None if env is None else dict(env), "stdin": stdin}
        given["max_chars"] = max_chars
        arguments = {"command": command, **{key: value for key, value in given.items() if value is not None}}
        answer = await self._calls.answer(
            "execute_shell", arguments, {}, on_stdout, on_stderr, idempotency_key=idempotency_key
        )
        result = CommandResult(answer)
        return result.check() if check else result

    async def python(
        self,
        code: str,
        *,
        timeout: Optional[float] = None,
        env: Optional[Mapping[str, str]] = None,
        reset: bool = False,
        on_stdout: Told[str] = None,
        on_stderr: Told[str] = None,
        check: bool = False,
        idempotency_key: Optional[str] = None,
    ) -> Cell:
        """Runs Python as a cell of the session's notebook, `python_notebook.ipynb`, in its root. Variables stay for the next one.

        What the code raises is a result; `check` makes it a CodeFailed. `timeout` is in seconds, five minutes at most. `env` are
        environment variables of this cell alone. `reset` starts a new kernel first.
        """
        arguments: Dict[str, Any] = {"code": code}
        if env:
            arguments["env"] = dict(env)
        if timeout is not None:
            arguments["timeout"] = timeout
        if reset:
            arguments["reset"] = True
        answer = await self._calls.answer(
            "notebook_execute", arguments, {}, on_stdout, on_stderr, idempotency_key=idempotency_key
        )
        cell = Cell(answer)
        return cell.check() if check else cell

    async def tool(self, name: str, arguments: Optional[Mapping[str, Any]] = None, /, **more: Any) -> ToolResult:
        """Calls a tool: `await s.tool("crawl_page", url="https://example.org")`. `call` has the options."""
        return ToolResult(await self._calls.answer(name, {**(arguments or {}), **more}, {}))

    async def call(
        self,
        tool: str,
        arguments: Optional[Mapping[str, Any]] = None,
        *,
        context: Optional[Mapping[str, Any]] = None,
        agent: Optional[str] = None,
        view: Optional[str] = None,
        max_tokens: Optional[int] = None,
        on_stdout: Told[str] = None,
        on_stderr: Told[str] = None,
        on_progress: Told[str] = None,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> ToolResult:
        """Calls a tool, with all options. `timeout` is how many seconds its answer is waited for."""
        options = _options(context, agent, view, max_tokens)
        answer = await self._calls.answer(
            tool, arguments or {}, options, on_stdout, on_stderr, on_progress, timeout, idempotency_key
        )
        return ToolResult(answer)

    async def begin(
        self,
        tool: str,
        arguments: Optional[Mapping[str, Any]] = None,
        *,
        context: Optional[Mapping[str, Any]] = None,
        agent: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> AsyncCall:
        """Begins a call and does not wait for it: the call goes on whoever waits."""
        options = _options(context, agent, None, None)
        return await self._calls.begin(tool, arguments or {}, options, idempotency_key)

    async def batch(
        self,
        calls: Sequence[Mapping[str, Any]],
        *,
        mode: Literal["in_order", "parallel"] = "in_order",
        stop_on_error: bool = False,
        timeout: Optional[float] = None,
    ) -> List[Union[ToolResult, ToolFailed, ApiError]]:
        """Makes up to 50 calls, each `{"tool", "arguments"}`. Those that failed have their error in their place."""
        return await self._calls.batch(calls, mode, stop_on_error, timeout)

    def calls(self, *, state: Optional[str] = None, tool: Optional[str] = None) -> AsyncPages[types.ListedCall]:
        """The session's calls, newest first."""
        return self._calls.pages(state, tool)

    async def get_call(self, call_id: str) -> types.Call:
        """One call with its answer."""
        return await self._calls.get(call_id)

    async def cancel(self, call_id: str) -> types.Call:
        """Ends a call with all that it started."""
        return await self._calls.cancel(call_id)

    def follow(self, call_id: str) -> AsyncStream[ServerEvent]:
        """What happens to a call, from its beginning, whoever made it."""
        return self._calls.follow(call_id)

    def history(self, path: Optional[str] = None) -> AsyncPages[types.Commit]:
        """Who changed which files, newest first: all commits, or those that changed a file or something below a directory."""
        return AsyncPages(self._transport, f"{self._path}/history", {"path": path})

    def changes(self, commit: Moment) -> AsyncPages[types.PathChange]:
        """All changes of a commit: one of `history` names the first few."""
        return AsyncPages(self._transport, f"{self._path}/history/{quote(str(commit), safe='')}", {})

    def tools(self) -> AsyncPages[Dict[str, Any]]:
        """The session's own tools, which were registered in it: `id`, `name`, `description`, `input_schema` and more."""
        return AsyncPages(self._transport, f"{self._path}/tools", {})

    async def diff(
        self,
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        *,
        path: Optional[str] = None,
        against: Optional[str] = None,
    ) -> Diff:
        """What differs between two moments; without them, what the newest commit changed.

        `against` names another session, of which `start` is a moment then. `str()` of it is a unified diff for people.
        """
        changes: List[types.Difference] = []
        query: Query = {"from": start, "to": end, "path": path, "against": against}
        cursor: Optional[str] = None
        while True:
            answer = await self._transport.request(Request("GET", f"{self._path}/diff", {**query, "cursor": cursor}))
            page = cast(Dict[str, Any], answer.json())
            changes += cast(List[types.Difference], page["data"])
            cursor = page["next_cursor"]
            if len(changes) > MAX_DIFF_FILES:
                raise ToolyardError(f"more than {MAX_DIFF_FILES} files differ: name a path")
            if cursor is None:
                return Diff(int(page["from"]), int(page["to"]), changes)

    async def patch(
        self,
        start: Optional[Moment] = None,
        end: Optional[Moment] = None,
        *,
        path: Optional[str] = None,
        against: Optional[str] = None,
    ) -> str:
        """What differs, as a unified diff that `git apply` and `files.patch` take."""
        parts: List[str] = []
        query: Query = {"from": start, "to": end, "path": path, "against": against}
        cursor: Optional[str] = None
        while True:
            request = Request("GET", f"{self._path}/diff", {**query, "cursor": cursor}, headers={"Accept": "text/x-diff"})
            answer = await self._transport.request(request)
            parts.append(answer.content.decode("utf-8", "surrogateescape"))
            cursor = next_cursor_of(answer.headers.get("link", ""))
            if cursor is None:
                return "".join(parts)

    async def restore(
        self, moment: Moment, *, path: str = "", dry_run: bool = False, if_commit: Optional[int] = None
    ) -> types.RestoredFiles:
        """Has the files of a moment back, as a new commit. `if_commit` does so only while that commit is the newest."""
        headers = {} if if_commit is None else {"If-Match": f'"{if_commit}"'}
        body = {"commit": moment, "path": path, "dry_run": dry_run}
        request = Request("POST", f"{self._path}/restore", json=body, headers=headers, timeout=300.0)
        return cast(types.RestoredFiles, (await self._transport.request(request)).json())

    async def undo(self, steps: int = 1, *, path: Optional[str] = None, dry_run: bool = False) -> types.RestoredFiles:
        """Takes back the newest commits, or the newest that changed a path.

        That is a commit of its own: a second `undo()` takes back the first. For two steps say `undo(2)`. Nothing is undone where
        another commit comes in between.
        """
        if steps < 1:
            raise ValueError("steps is 1 or more")
        # Before the commits of the path: one that comes in between is no reason to undo more.
        head = await self.history().all(1)
        commits = await self.history(path).all(steps)
        if len(commits) < steps:
            raise ToolyardError(f"there are {len(commits)} commits to take back, not {steps}")
        before = commits[-1]["commit"] - 1
        return await self.restore(before, path=path or "", dry_run=dry_run, if_commit=head[0]["commit"])

    def fork(
        self,
        name: Optional[str] = None,
        *,
        as_of: Optional[Moment] = None,
        title: Optional[str] = None,
        labels: Optional[Mapping[str, str]] = None,
        keep: bool = False,
    ) -> Opening[AsyncSession]:
        """A new session with these files as they are now, or were at a moment."""
        given = {"name": name, "as_of": as_of, "title": title, "labels": None if labels is None else dict(labels)}
        body = {key: value for key, value in given.items() if value is not None}
        return Opening(self._forked(body, keep))

    async def _forked(self, body: Mapping[str, Any], keep: bool) -> AsyncSession:
        request = Request("POST", f"{self._path}/fork", json=body, timeout=300.0)
        info = cast(types.Session, (await self._transport.request(request)).json())
        return AsyncSession(self._transport, info, keep)

    async def refresh(self) -> types.Session:
        """The session as it is now."""
        self.info = cast(types.Session, (await self._transport.request(Request("GET", self._path))).json())
        return self.info

    async def update(self, **changes: Any) -> types.Session:
        """Changes `title`, `labels` (merged; None removes one), `lifetime_seconds`, `idle_lifetime_seconds` or `internet`."""
        request = Request("PATCH", self._path, json=changes)
        self.info = cast(types.Session, (await self._transport.request(request)).json())
        return self.info

    async def pause(self, *, force: bool = False) -> types.Session:
        """Pauses its sandbox; `force` cancels what runs in it. The next call that needs it wakes it."""
        request = Request("POST", f"{self._path}/pause", {"force": True if force else None}, timeout=300.0)
        self.info = cast(types.Session, (await self._transport.request(request)).json())
        return self.info

    async def resume(self) -> types.Session:
        """Has its sandbox run, so that the next call need not wait."""
        request = Request("POST", f"{self._path}/resume", timeout=300.0)
        self.info = cast(types.Session, (await self._transport.request(request)).json())
        return self.info

    async def delete(self) -> None:
        """Ends what runs in it and removes all of it. One that is gone already is no error."""
        try:
            await self._transport.request(Request("DELETE", self._path, timeout=300.0))
        except NotFound:
            pass

    async def __aenter__(self) -> AsyncSession:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if self.keep:
            return
        try:
            await self.delete()
        except ToolyardError as failed:
            # The error of the block says more than that of its end.
            if error is None:
                raise
            logger.warning("session %s could not be deleted: %s", self.name, failed)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(name={self.name!r}, state={self.info['state']!r})"


def _options(
    context: Optional[Mapping[str, Any]], agent: Optional[str], view: Optional[str], max_tokens: Optional[int]
) -> Dict[str, Any]:
    given = {"context": context, "agent": agent, "view": view, "max_tokens": max_tokens}
    return {key: value for key, value in given.items() if value is not None}


def next_cursor_of(link: str) -> Optional[str]:
    """Cursor of the next page in a `Link`; None on the last one."""
    target, _, relation = link.partition(">")
    if 'rel="next"' not in relation:
        return None
    cursors = parse_qs(urlsplit(target.lstrip("<")).query).get("cursor")
    return cursors[0] if cursors else None

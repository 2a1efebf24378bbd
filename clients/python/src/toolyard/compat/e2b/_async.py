"""The sandbox by E2B's names."""

from __future__ import annotations

from io import TextIOBase
from posixpath import basename, dirname
from types import TracebackType
from typing import Any, AsyncIterator, BinaryIO, Dict, List, Literal, Mapping, Optional, Sequence, TextIO, Tuple, Type, TypeVar, Union, cast

from ... import types
from ..._body import Content
from ..._async._client import AsyncToolyard
from ..._async._files import AsyncFiles
from ..._async._session import AsyncSession
from ..._async._transport import Query
from ..._callbacks import Told, tell_async
from ..._errors import NotFound
from ..._hooks import logger
from ..._results import CommandResult as Ran
from ._errors import (
    AuthenticationException,
    CommandExitException,
    FileNotFoundException,
    InvalidArgumentException,
    SandboxException,
    SandboxNotFoundException,
    TimeoutException,
    e2b_errors,
)
from ._models import (
    ROOT,
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
    entry_info,
    execution,
    in_sandbox,
    in_session,
    lines_of,
    message,
    only_user,
    sandbox_info,
    time_of,
)

DEFAULT_REQUEST_SECONDS = 60.0
"""Seconds that an attempt of a request waits unless it is said."""
KILL_SECONDS = 300.0
"""Seconds that an attempt to end a sandbox waits unless it is said: what runs in it is ended first."""
SHORTEST_LIFE = 60
"""Seconds that a session lives at least."""
LONGEST_CELL = 300
"""Seconds that code runs at most."""
MAX_CHARS = 65_536
"""Characters of an output that an answer has at most. What is longer is read from its file."""
LONGEST_COMMAND = 82_800
"""Seconds that a command runs at most."""
PROGRAMS = {"bash": "bash -s", "javascript": "node -", "js": "node -"}

Made = TypeVar("Made", bound="AsyncSandbox")


class AsyncSandbox:
    """A session under E2B's names. It ends `timeout` seconds after it was made.

    `request_timeout` is, wherever it is taken, how many seconds an attempt of a request may wait.
    """

    sandbox_id: str
    files: AsyncFilesystem
    commands: AsyncCommands

    def _attach(self, client: AsyncToolyard, session: AsyncSession, envs: Optional[Mapping[str, str]] = None) -> None:
        self._client = client
        self._session = session
        self._envs = dict(envs or {})
        self._is_killed = False
        self.sandbox_id = session.name
        self.files = AsyncFilesystem(session)
        self.commands = AsyncCommands(session, self._envs)

    @classmethod
    async def create(
        cls: Type[Made],
        template: Optional[str] = None,
        timeout: Optional[int] = None,
        metadata: Optional[Mapping[str, str]] = None,
        envs: Optional[Mapping[str, str]] = None,
        secure: Optional[bool] = None,
        allow_internet_access: Optional[bool] = None,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        request_timeout: Optional[float] = None,
    ) -> Made:
        """Makes one. The key and the address are those of Toolyard; there is one template. `secure` has no effect: a key is needed anyway."""
        if template not in (None, "base", "code-interpreter-v1"):
            raise InvalidArgumentException(f"there is no template {template}: all sandboxes are alike here")
        client = _client(api_key, base_url, request_timeout)
        try:
            with e2b_errors():
                session = await client.sessions.create(
                    lifetime_seconds=max(300 if timeout is None else timeout, SHORTEST_LIFE),
                    labels=metadata,
                    internet=False if allow_internet_access is False else None,
                )
        except BaseException:
            await client.aclose()
            raise
        sandbox = cls.__new__(cls)
        sandbox._attach(client, session, envs)
        return sandbox

    @classmethod
    async def connect(
        cls: Type[Made],
        sandbox_id: str,
        timeout: Optional[int] = None,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        request_timeout: Optional[float] = None,
    ) -> Made:
        """One that is there. With a `timeout` it ends so many seconds from now.

        It has none of the `envs` that it was made with: a session keeps none.
        """
        client = _client(api_key, base_url, request_timeout)
        try:
            with e2b_errors():
                session = await client.sessions.get(sandbox_id)
            sandbox = cls.__new__(cls)
            sandbox._attach(client, session)
            if timeout is not None:
                await sandbox.set_timeout(timeout)
        except BaseException:
            await client.aclose()
            raise
        return sandbox

    @classmethod
    def list(
        cls,
        query: Optional[SandboxQuery] = None,
        limit: Optional[int] = None,
        next_token: Optional[str] = None,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        request_timeout: Optional[float] = None,
    ) -> AsyncSandboxPaginator:
        """Sandboxes of the key's tenant, the newest first, page by page."""
        return AsyncSandboxPaginator(_client(api_key, base_url, request_timeout), query or SandboxQuery(), limit, next_token)

    async def run_code(
        self,
        code: str,
        language: Optional[str] = None,
        on_stdout: Told[OutputMessage] = None,
        on_stderr: Told[OutputMessage] = None,
        on_result: Told[Result] = None,
        on_error: Told[ExecutionError] = None,
        envs: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
        request_timeout: Optional[float] = None,
    ) -> Execution:
        """Runs Python in a kernel that keeps its variables, or `bash` or `javascript` as a program of its own.

        What the code prints comes to `on_stdout` and `on_stderr` while it runs, results and the error at its end. `timeout` bounds
        the code, five minutes at most.
        """

        async def heard(piece: str) -> None:
            await tell_async(on_stdout, message(piece))

        async def heard_error(piece: str) -> None:
            await tell_async(on_stderr, message(piece, True))

        out = None if on_stdout is None else heard
        err = None if on_stderr is None else heard_error
        seconds = min(timeout or LONGEST_CELL, LONGEST_CELL)
        env = {**self._envs, **(envs or {})}
        if language in (None, "python"):
            with e2b_errors():
                cell = await self._session.python(code, timeout=seconds, env=env, on_stdout=out, on_stderr=err)
            done = execution(cell)
        else:
            program = PROGRAMS.get(str(language))
            if program is None:
                raise InvalidArgumentException(f"{language} does not run here: python, bash and javascript do")
            with e2b_errors():
                ran = await self._session.run(
                    program, stdin=code, cwd=".", env=env, timeout=seconds, max_chars=MAX_CHARS, on_stdout=out, on_stderr=err
                )
                stdout, stderr = await _outputs(self._session, ran)
            error = None if ran.ok else ExecutionError("ExitCode", str(ran.exit_code), stderr)
            done = Execution(logs=Logs(list(lines_of(stdout)), list(lines_of(stderr))), error=error)
        for result in done.results:
            await tell_async(on_result, result)
        if done.error is not None:
            await tell_async(on_error, done.error)
        return done

    async def set_timeout(self, timeout: int, request_timeout: Optional[float] = None) -> None:
        """Has it end so many seconds from now."""
        with e2b_errors():
            session = _within(self._session, request_timeout)
            # A change of nothing is a use of the session: its time is the server's, whose clock counts.
            used = await session.update()
            age = (time_of(used["last_used_at"]) - time_of(used["created_at"])).total_seconds()
            await session.update(lifetime_seconds=max(SHORTEST_LIFE, int(age) + 1 + timeout))

    async def get_info(self, request_timeout: Optional[float] = None) -> SandboxInfo:
        """The sandbox as it is now."""
        with e2b_errors():
            return sandbox_info(await _within(self._session, request_timeout).refresh())

    async def is_running(self, request_timeout: Optional[float] = None) -> bool:
        """Whether it is there, and not paused."""
        if self._is_killed:
            return False
        try:
            return (await self.get_info(request_timeout)).state is SandboxState.RUNNING
        except SandboxNotFoundException:
            return False

    async def pause(self, request_timeout: Optional[float] = None) -> None:
        """Pauses it. The next command wakes it."""
        with e2b_errors():
            await _within(self._session, request_timeout).pause(force=True)

    async def kill(self, request_timeout: Optional[float] = None) -> bool:
        """Ends it with all its files. Gives whether it was not ended before."""
        if self._is_killed:
            return False
        was_there = True
        place = {"session": self.sandbox_id}
        with e2b_errors():
            try:
                await self._client.request("DELETE /v1/sessions/{session}", path=place, timeout=request_timeout or KILL_SECONDS)
            except NotFound:
                was_there = False
        await self._client.aclose()
        self._is_killed = True
        return was_there

    async def __aenter__(self) -> AsyncSandbox:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        try:
            await self.kill()
        except (SandboxException, AuthenticationException) as failed:
            # The error of the block says more than that of its end.
            if error is None:
                raise
            logger.warning("sandbox %s could not be killed: %s", self.sandbox_id, failed)
        finally:
            await self._client.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(sandbox_id={self.sandbox_id!r})"


class AsyncSandboxPaginator:
    """Sandboxes, page by page: `next_items()` while `has_next`, or all of them by `for`."""

    def __init__(
        self, client: AsyncToolyard, query: SandboxQuery, limit: Optional[int], next_token: Optional[str]
    ) -> None:
        self._client = client
        self._query = query
        self._limit = limit
        self.next_token = next_token
        """Where the next page begins."""
        self.has_next = True

    async def next_items(self) -> List[SandboxInfo]:
        """The next page. One of a query for states may have fewer."""
        if not self.has_next:
            raise SandboxException("there is no further page: look at has_next first")
        labels = ",".join(f"{key}:{value}" for key, value in (self._query.metadata or {}).items())
        query: Query = {"labels": labels or None, "limit": self._limit, "cursor": self.next_token}
        with e2b_errors():
            page: types.SessionPage = await self._client.request("GET /v1/sessions", query=query)
        self.next_token = page["next_cursor"]
        self.has_next = self.next_token is not None
        if not self.has_next:
            await self._client.aclose()
        states = None if self._query.state is None else [SandboxState(state) for state in self._query.state]
        found = [sandbox_info(session) for session in page["data"]]
        return found if states is None else [one for one in found if one.state in states]

    async def __aiter__(self) -> AsyncIterator[SandboxInfo]:
        while self.has_next:
            for one in await self.next_items():
                yield one


class AsyncCommands:
    """Commands of a sandbox. They start in the session's root."""

    def __init__(self, session: AsyncSession, envs: Mapping[str, str]) -> None:
        self._session = session
        self._envs = dict(envs)

    async def run(
        self,
        cmd: str,
        background: bool = False,
        envs: Optional[Mapping[str, str]] = None,
        user: Optional[str] = None,
        cwd: Optional[str] = None,
        on_stdout: Told[str] = None,
        on_stderr: Told[str] = None,
        timeout: Optional[float] = 60,
        request_timeout: Optional[float] = None,
    ) -> Any:
        """Runs a command to its end: a CommandResult, or CommandExitException for another exit code than 0.

        In the background it gives a handle at once, and goes on; `on_stdout` is called while the handle's `wait` waits, and
        `on_stderr` never: both outputs are one there. `timeout` bounds the command, also in the background; 0 means 23 hours, the
        longest there is.
        """
        only_user(user)
        place = in_session(cwd) or "." if cwd is not None else "."
        env = {**self._envs, **(envs or {})}
        seconds = timeout or LONGEST_COMMAND
        if background:
            arguments: Dict[str, Any] = {"command": cmd, "workdir": place, "background": True, "env": env, "timeout": seconds}
            with e2b_errors():
                begun = await _within(self._session, request_timeout).tool("execute_shell", arguments)
            return AsyncCommandHandle(self._session, str(begun["job_id"]), int(begun["pid"]), on_stdout)
        with e2b_errors():
            done = await self._session.run(
                cmd, cwd=place, env=env, timeout=seconds, max_chars=MAX_CHARS, on_stdout=on_stdout, on_stderr=on_stderr
            )
            stdout, stderr = await _outputs(self._session, done)
        return _ended(stdout, stderr, done.exit_code)


class AsyncCommandHandle:
    """A command that goes on in the background. Its output is one log: stderr is among stdout."""

    def __init__(self, session: AsyncSession, job_id: str, pid: int, on_stdout: Told[str] = None) -> None:
        self._session = session
        self._job_id = job_id
        self._on_stdout = on_stdout
        self.pid = pid

    async def wait(self, on_stdout: Told[str] = None) -> CommandResult:
        """Waits for its end, and tells `on_stdout`, by default that of `run`, what it prints. Raises TimeoutException for one that was stopped at its time."""
        output, at = "", 0
        while True:
            with e2b_errors():
                read = await self._session.tool("job_output", job_id=self._job_id, from_byte=at, wait_seconds=30)
            at = int(read["next_from_byte"])
            if read["output"]:
                output += read["output"]
                await tell_async(on_stdout or self._on_stdout, str(read["output"]))
            elif not read["running"]:
                if read.data.get("state") == "timeout":
                    raise TimeoutException("the command was stopped at its timeout")
                code = read.data.get("exit_code")
                return _ended(output, "", -1 if code is None else int(code))

    async def kill(self) -> bool:
        """Ends it."""
        with e2b_errors():
            await self._session.tool("job_stop", job_id=self._job_id)
        return True


class AsyncFilesystem:
    """Files of a sandbox."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    def _files(self, user: Optional[str], request_timeout: Optional[float]) -> AsyncFiles:
        only_user(user)
        return _within(self._session, request_timeout).files

    async def read(
        self,
        path: str,
        format: Literal["text", "bytes"] = "text",
        user: Optional[str] = None,
        request_timeout: Optional[float] = None,
    ) -> Any:
        """A text, or with `format="bytes"` a bytearray."""
        with e2b_errors():
            content = await self._files(user, request_timeout).read_bytes(in_session(path))
        return bytearray(content) if format == "bytes" else content.decode("utf-8", "replace")

    async def write(
        self,
        path: str,
        data: Union[str, bytes, BinaryIO, TextIO],
        user: Optional[str] = None,
        request_timeout: Optional[float] = None,
    ) -> WriteInfo:
        """Creates or replaces a file. Its `path` is where programs find it."""
        content: Content = cast(TextIO, data).read() if isinstance(data, TextIOBase) else cast(Content, data)
        with e2b_errors():
            written = await self._files(user, request_timeout).write(in_session(path), content)
        return WriteInfo(basename(written["path"]), FileType.FILE, in_sandbox(written["path"]))

    async def write_files(
        self,
        files: Sequence[Mapping[str, Any]],
        user: Optional[str] = None,
        request_timeout: Optional[float] = None,
    ) -> List[WriteInfo]:
        """Several of `{"path", "data"}`."""
        return [await self.write(file["path"], file["data"], user, request_timeout) for file in files]

    async def list(
        self,
        path: str,
        depth: Optional[int] = 1,
        user: Optional[str] = None,
        request_timeout: Optional[float] = None,
    ) -> List[EntryInfo]:
        """What is in a directory, so many levels deep."""
        with e2b_errors():
            deep: Dict[str, Any] = {"recursive": True, "depth": depth} if depth and depth > 1 else {}
            entries = await self._files(user, request_timeout).list(in_session(path), **deep).all()
        return [entry_info(entry) for entry in entries]

    async def exists(
        self, path: str, user: Optional[str] = None, request_timeout: Optional[float] = None
    ) -> bool:
        with e2b_errors():
            return await self._files(user, request_timeout).exists(in_session(path))

    async def get_info(
        self, path: str, user: Optional[str] = None, request_timeout: Optional[float] = None
    ) -> EntryInfo:
        """A file or a directory as it is now."""
        wanted = in_session(path)
        with e2b_errors():
            if wanted == "":
                only_user(user)
                info = await _within(self._session, request_timeout).refresh()
                return EntryInfo(basename(ROOT), FileType.DIR, ROOT, 0, time_of(info["last_used_at"]))
            async for entry in self._files(user, request_timeout).list(dirname(wanted)):
                if entry["path"] == wanted:
                    return entry_info(entry)
        raise FileNotFoundException(f"there is no {path}")

    async def remove(self, path: str, user: Optional[str] = None, request_timeout: Optional[float] = None) -> None:
        """Removes a file, or a directory with all below it."""
        with e2b_errors():
            await self._files(user, request_timeout).delete(in_session(path), recursive=True)

    async def rename(
        self, old_path: str, new_path: str, user: Optional[str] = None, request_timeout: Optional[float] = None
    ) -> EntryInfo:
        with e2b_errors():
            await self._files(user, request_timeout).move(in_session(old_path), in_session(new_path))
        return await self.get_info(new_path, user, request_timeout)

    async def make_dir(
        self, path: str, user: Optional[str] = None, request_timeout: Optional[float] = None
    ) -> bool:
        """Makes a directory. Gives whether it was not there. Raises InvalidArgumentException where a file has its name."""
        if await self.exists(path, user, request_timeout):
            if (await self.get_info(path, user, request_timeout)).type is FileType.FILE:
                raise InvalidArgumentException(f"{path} is a file: remove it, or name another directory")
            return False
        with e2b_errors():
            await _within(self._session, request_timeout).tool("dir_create", dir_path=in_session(path))
        return True


def _client(api_key: Optional[str], base_url: Optional[str], request_timeout: Optional[float]) -> AsyncToolyard:
    return AsyncToolyard(base_url, api_key, timeout=request_timeout or DEFAULT_REQUEST_SECONDS)


def _within(session: AsyncSession, request_timeout: Optional[float]) -> AsyncSession:
    return session.with_timeout(request_timeout) if request_timeout else session


async def _outputs(session: AsyncSession, done: Ran) -> Tuple[str, str]:
    """Both outputs of a command, whole where a file has all of it: one of 256 MiB at most."""
    outputs: List[str] = []
    for name, text in (("stdout", done.stdout), ("stderr", done.stderr)):
        file = done.full_output.get(name)
        if file is not None and f"; the whole is in {file} " in text:
            try:
                text = (await session.files.read_bytes(file)).decode("utf-8", "replace")
            except NotFound:
                pass  # another program has removed it: the start and the end are there
        outputs.append(text)
    return outputs[0], outputs[1]


def _ended(stdout: str, stderr: str, exit_code: int) -> CommandResult:
    if exit_code != 0:
        raise CommandExitException(stdout, stderr, exit_code)
    return CommandResult(stderr, stdout, exit_code)

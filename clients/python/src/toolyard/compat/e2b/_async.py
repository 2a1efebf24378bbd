"""The sandbox by E2B's names."""

from __future__ import annotations

from datetime import datetime, timezone
from posixpath import basename
from typing import Any, BinaryIO, Dict, List, Literal, Mapping, Optional, Sequence, Union

from ..._async._client import AsyncToolyard
from ..._async._session import AsyncSession
from ..._callbacks import Told, tell_async
from ._errors import CommandExitException, InvalidArgumentException, e2b_errors
from ._models import (
    CommandResult,
    EntryInfo,
    Execution,
    ExecutionError,
    FileType,
    Logs,
    OutputMessage,
    Result,
    WriteInfo,
    entry_info,
    execution,
    in_sandbox,
    in_session,
    lines_of,
    message,
)

SHORTEST_LIFE = 60
"""Seconds that a session lives at least."""
PROGRAMS = {"bash": "bash -s", "javascript": "node -", "js": "node -"}


class AsyncSandbox:
    """A session under E2B's names. It ends `timeout` seconds after it was made."""

    def __init__(self, client: AsyncToolyard, session: AsyncSession, envs: Optional[Mapping[str, str]]) -> None:
        self._client = client
        self._session = session
        self.sandbox_id = session.name
        self.files = AsyncFilesystem(session)
        self.commands = AsyncCommands(session, envs or {})

    @classmethod
    async def create(
        cls,
        template: Optional[str] = None,
        timeout: int = 300,
        metadata: Optional[Mapping[str, str]] = None,
        envs: Optional[Mapping[str, str]] = None,
        allow_internet_access: bool = True,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
    ) -> AsyncSandbox:
        """Makes one. The key and the address are those of Toolyard; there is one template."""
        if template not in (None, "base", "code-interpreter-v1"):
            raise InvalidArgumentException(f"there is no template {template}: all sandboxes are alike here")
        client = AsyncToolyard(base_url, api_key)
        with e2b_errors():
            session = await client.sessions.create(
                lifetime_seconds=max(timeout, SHORTEST_LIFE),
                labels=metadata,
                internet=None if allow_internet_access else False,
            )
        return cls(client, session, envs)

    @classmethod
    async def connect(
        cls, sandbox_id: str, *, api_key: Optional[str] = None, base_url: Optional[str] = None
    ) -> AsyncSandbox:
        """One that is there."""
        client = AsyncToolyard(base_url, api_key)
        with e2b_errors():
            return cls(client, await client.sessions.get(sandbox_id), None)

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
    ) -> Execution:
        """Runs Python in a kernel that keeps its variables, or `bash` or `javascript` as a program of its own."""
        if language in (None, "python"):
            if envs:
                code = f"import os; os.environ.update({dict(envs)!r})\n{code}"
            with e2b_errors():
                done = execution(await self._session.python(code, timeout=timeout))
        else:
            program = PROGRAMS.get(str(language))
            if program is None:
                raise InvalidArgumentException(f"{language} does not run here: python, bash and javascript do")
            with e2b_errors():
                ran = await self._session.run(program, stdin=code, cwd=".", env=envs, timeout=timeout)
            error = None if ran.ok else ExecutionError("ExitCode", str(ran.exit_code), ran.stderr)
            done = Execution(logs=Logs(list(lines_of(ran.stdout)), list(lines_of(ran.stderr))), error=error)
        for line in done.logs.stdout:
            await tell_async(on_stdout, message(line))
        for line in done.logs.stderr:
            await tell_async(on_stderr, message(line, True))
        for result in done.results:
            await tell_async(on_result, result)
        if done.error is not None:
            await tell_async(on_error, done.error)
        return done

    async def set_timeout(self, timeout: int) -> None:
        """Has it end so many seconds from now."""
        with e2b_errors():
            began = datetime.fromisoformat(self._session.info["created_at"].replace("Z", "+00:00"))
            age = (datetime.now(timezone.utc) - began).total_seconds()
            await self._session.update(lifetime_seconds=max(SHORTEST_LIFE, int(age) + 1 + timeout))

    async def is_running(self) -> bool:
        """Whether it is there."""
        try:
            with e2b_errors():
                await self._session.refresh()
        except Exception as error:
            if type(error).__name__ == "SandboxNotFoundException":
                return False
            raise
        return True

    async def pause(self) -> None:
        with e2b_errors():
            await self._session.pause(force=True)

    async def kill(self) -> bool:
        """Ends it with all its files."""
        with e2b_errors():
            await self._session.delete()
        await self._client.aclose()
        return True

    async def __aenter__(self) -> AsyncSandbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.kill()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(sandbox_id={self.sandbox_id!r})"


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
        cwd: Optional[str] = None,
        on_stdout: Told[str] = None,
        on_stderr: Told[str] = None,
        timeout: Optional[float] = 60,
    ) -> Any:
        """Runs a command to its end: a CommandResult, or CommandExitException for another exit code than 0.

        In the background it gives a handle at once, and goes on.
        """
        place = in_session(cwd) or "." if cwd is not None else "."
        env = {**self._envs, **(envs or {})}
        if background:
            arguments: Dict[str, Any] = {"command": cmd, "workdir": place, "background": True, "env": env}
            with e2b_errors():
                begun = await self._session.tool("execute_shell", arguments)
            return AsyncCommandHandle(self._session, str(begun["job_id"]), int(begun["pid"]))
        with e2b_errors():
            done = await self._session.run(
                cmd, cwd=place, env=env, timeout=timeout or None, on_stdout=on_stdout, on_stderr=on_stderr
            )
        return _ended(done.stdout, done.stderr, done.exit_code)


class AsyncCommandHandle:
    """A command that goes on in the background. Its output is one log: stderr is among stdout."""

    def __init__(self, session: AsyncSession, job_id: str, pid: int) -> None:
        self._session = session
        self._job_id = job_id
        self.pid = pid

    async def wait(self, on_stdout: Told[str] = None) -> CommandResult:
        """Waits for its end."""
        output, at = "", 0
        while True:
            with e2b_errors():
                read = await self._session.tool("job_output", job_id=self._job_id, from_byte=at, wait_seconds=30)
            at = int(read["next_from_byte"])
            if read["output"]:
                output += read["output"]
                await tell_async(on_stdout, str(read["output"]))
            elif not read["running"]:
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

    async def read(self, path: str, format: Literal["text", "bytes"] = "text") -> Any:
        """A text, or with `format="bytes"` a bytearray."""
        with e2b_errors():
            content = await self._session.files.read_bytes(in_session(path))
        return bytearray(content) if format == "bytes" else content.decode("utf-8", "replace")

    async def write(self, path: str, data: Union[str, bytes, BinaryIO]) -> WriteInfo:
        """Creates or replaces a file. Its `path` is where programs find it."""
        with e2b_errors():
            written = await self._session.files.write(in_session(path), data)
        return WriteInfo(basename(written["path"]), FileType.FILE, in_sandbox(written["path"]))

    async def write_files(self, files: Sequence[Mapping[str, Any]]) -> List[WriteInfo]:
        """Several of `{"path", "data"}`."""
        return [await self.write(file["path"], file["data"]) for file in files]

    async def list(self, path: str, depth: int = 1) -> List[EntryInfo]:
        """What is in a directory, so many levels deep."""
        with e2b_errors():
            deep: Dict[str, Any] = {"recursive": True, "depth": depth} if depth > 1 else {}
            entries = await self._session.files.list(in_session(path), **deep).all()
        return [entry_info(entry) for entry in entries]

    async def exists(self, path: str) -> bool:
        with e2b_errors():
            return await self._session.files.exists(in_session(path))

    async def remove(self, path: str) -> None:
        """Removes a file, or a directory with all below it."""
        with e2b_errors():
            await self._session.files.delete(in_session(path), recursive=True)

    async def rename(self, old_path: str, new_path: str) -> None:
        with e2b_errors():
            await self._session.files.move(in_session(old_path), in_session(new_path))

    async def make_dir(self, path: str) -> bool:
        """Makes a directory. Gives whether it was not there."""
        if await self.exists(path):
            return False
        with e2b_errors():
            await self._session.tool("dir_create", dir_path=in_session(path))
        return True


def _ended(stdout: str, stderr: str, exit_code: int) -> CommandResult:
    if exit_code != 0:
        raise CommandExitException(stdout, stderr, exit_code)
    return CommandResult(stderr, stdout, exit_code)

# Made of compat/e2b/_async.py by making/make_sync.py; do not edit.
"""The sandbox by E2B's names."""

from __future__ import annotations

from datetime import datetime, timezone
from posixpath import basename
from typing import Any, BinaryIO, Dict, List, Literal, Mapping, Optional, Sequence, Union

from ..._sync._client import Toolyard
from ..._sync._session import Session
from ..._callbacks import Told, tell
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


class Sandbox:
    """A session under E2B's names. It ends `timeout` seconds after it was made."""

    def __init__(self, client: Toolyard, session: Session, envs: Optional[Mapping[str, str]]) -> None:
        self._client = client
        self._session = session
        self.sandbox_id = session.name
        self.files = Filesystem(session)
        self.commands = Commands(session, envs or {})

    @classmethod
    def create(
        cls,
        template: Optional[str] = None,
        timeout: int = 300,
        metadata: Optional[Mapping[str, str]] = None,
        envs: Optional[Mapping[str, str]] = None,
        allow_internet_access: bool = True,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
    ) -> Sandbox:
        """Makes one. The key and the address are those of Toolyard; there is one template."""
        if template not in (None, "base", "code-interpreter-v1"):
            raise InvalidArgumentException(f"there is no template {template}: all sandboxes are alike here")
        client = Toolyard(base_url, api_key)
        with e2b_errors():
            session = client.sessions.create(
                lifetime_seconds=max(timeout, SHORTEST_LIFE),
                labels=metadata,
                internet=None if allow_internet_access else False,
            )
        return cls(client, session, envs)

    @classmethod
    def connect(
        cls, sandbox_id: str, *, api_key: Optional[str] = None, base_url: Optional[str] = None
    ) -> Sandbox:
        """One that is there."""
        client = Toolyard(base_url, api_key)
        with e2b_errors():
            return cls(client, client.sessions.get(sandbox_id), None)

    def run_code(
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
                done = execution(self._session.python(code, timeout=timeout))
        else:
            program = PROGRAMS.get(str(language))
            if program is None:
                raise InvalidArgumentException(f"{language} does not run here: python, bash and javascript do")
            with e2b_errors():
                ran = self._session.run(program, stdin=code, cwd=".", env=envs, timeout=timeout)
            error = None if ran.ok else ExecutionError("ExitCode", str(ran.exit_code), ran.stderr)
            done = Execution(logs=Logs(list(lines_of(ran.stdout)), list(lines_of(ran.stderr))), error=error)
        for line in done.logs.stdout:
            tell(on_stdout, message(line))
        for line in done.logs.stderr:
            tell(on_stderr, message(line, True))
        for result in done.results:
            tell(on_result, result)
        if done.error is not None:
            tell(on_error, done.error)
        return done

    def set_timeout(self, timeout: int) -> None:
        """Has it end so many seconds from now."""
        with e2b_errors():
            began = datetime.fromisoformat(self._session.info["created_at"].replace("Z", "+00:00"))
            age = (datetime.now(timezone.utc) - began).total_seconds()
            self._session.update(lifetime_seconds=max(SHORTEST_LIFE, int(age) + 1 + timeout))

    def is_running(self) -> bool:
        """Whether it is there."""
        try:
            with e2b_errors():
                self._session.refresh()
        except Exception as error:
            if type(error).__name__ == "SandboxNotFoundException":
                return False
            raise
        return True

    def pause(self) -> None:
        with e2b_errors():
            self._session.pause(force=True)

    def kill(self) -> bool:
        """Ends it with all its files."""
        with e2b_errors():
            self._session.delete()
        self._client.close()
        return True

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(sandbox_id={self.sandbox_id!r})"


class Commands:
    """Commands of a sandbox. They start in the session's root."""

    def __init__(self, session: Session, envs: Mapping[str, str]) -> None:
        self._session = session
        self._envs = dict(envs)

    def run(
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
                begun = self._session.tool("execute_shell", arguments)
            return CommandHandle(self._session, str(begun["job_id"]), int(begun["pid"]))
        with e2b_errors():
            done = self._session.run(
                cmd, cwd=place, env=env, timeout=timeout or None, on_stdout=on_stdout, on_stderr=on_stderr
            )
        return _ended(done.stdout, done.stderr, done.exit_code)


class CommandHandle:
    """A command that goes on in the background. Its output is one log: stderr is among stdout."""

    def __init__(self, session: Session, job_id: str, pid: int) -> None:
        self._session = session
        self._job_id = job_id
        self.pid = pid

    def wait(self, on_stdout: Told[str] = None) -> CommandResult:
        """Waits for its end."""
        output, at = "", 0
        while True:
            with e2b_errors():
                read = self._session.tool("job_output", job_id=self._job_id, from_byte=at, wait_seconds=30)
            at = int(read["next_from_byte"])
            if read["output"]:
                output += read["output"]
                tell(on_stdout, str(read["output"]))
            elif not read["running"]:
                code = read.data.get("exit_code")
                return _ended(output, "", -1 if code is None else int(code))

    def kill(self) -> bool:
        """Ends it."""
        with e2b_errors():
            self._session.tool("job_stop", job_id=self._job_id)
        return True


class Filesystem:
    """Files of a sandbox."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def read(self, path: str, format: Literal["text", "bytes"] = "text") -> Any:
        """A text, or with `format="bytes"` a bytearray."""
        with e2b_errors():
            content = self._session.files.read_bytes(in_session(path))
        return bytearray(content) if format == "bytes" else content.decode("utf-8", "replace")

    def write(self, path: str, data: Union[str, bytes, BinaryIO]) -> WriteInfo:
        """Creates or replaces a file. Its `path` is where programs find it."""
        with e2b_errors():
            written = self._session.files.write(in_session(path), data)
        return WriteInfo(basename(written["path"]), FileType.FILE, in_sandbox(written["path"]))

    def write_files(self, files: Sequence[Mapping[str, Any]]) -> List[WriteInfo]:
        """Several of `{"path", "data"}`."""
        return [self.write(file["path"], file["data"]) for file in files]

    def list(self, path: str, depth: int = 1) -> List[EntryInfo]:
        """What is in a directory, so many levels deep."""
        with e2b_errors():
            deep: Dict[str, Any] = {"recursive": True, "depth": depth} if depth > 1 else {}
            entries = self._session.files.list(in_session(path), **deep).all()
        return [entry_info(entry) for entry in entries]

    def exists(self, path: str) -> bool:
        with e2b_errors():
            return self._session.files.exists(in_session(path))

    def remove(self, path: str) -> None:
        """Removes a file, or a directory with all below it."""
        with e2b_errors():
            self._session.files.delete(in_session(path), recursive=True)

    def rename(self, old_path: str, new_path: str) -> None:
        with e2b_errors():
            self._session.files.move(in_session(old_path), in_session(new_path))

    def make_dir(self, path: str) -> bool:
        """Makes a directory. Gives whether it was not there."""
        if self.exists(path):
            return False
        with e2b_errors():
            self._session.tool("dir_create", dir_path=in_session(path))
        return True


def _ended(stdout: str, stderr: str, exit_code: int) -> CommandResult:
    if exit_code != 0:
        raise CommandExitException(stdout, stderr, exit_code)
    return CommandResult(stderr, stdout, exit_code)

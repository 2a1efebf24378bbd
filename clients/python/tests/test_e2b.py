"""Programs for E2B, with another import."""

import asyncio
import json
from datetime import datetime, timezone, tzinfo
from typing import Any, List, Optional

import httpx
import pytest

from toolyard import Toolyard
from toolyard.compat.e2b import (
    AsyncSandbox,
    AuthenticationException,
    CommandExitException,
    FileNotFoundException,
    InvalidArgumentException,
    Sandbox,
    SandboxNotFoundException,
    TimeoutException,
)


@pytest.fixture(autouse=True)
def server(base_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLYARD_BASE_URL", base_url)


def test_files_commands_and_code_as_e2b_has_them() -> None:
    with Sandbox.create(timeout=120, envs={"NAME": "otter"}) as sandbox:
        written = sandbox.files.write("/home/user/data/lakes.csv", "lake,otters\nNorth,3\n")
        pieces: List[str] = []
        done = sandbox.commands.run(f"cat {written.path} data/lakes.csv | wc -l; echo $NAME", on_stdout=pieces.append)
        assert (done.stdout, done.exit_code, "".join(pieces)) == ("4\notter\n", 0, done.stdout)
        with pytest.raises(CommandExitException) as failed:
            sandbox.commands.run("echo no >&2; exit 3")
        assert (failed.value.exit_code, failed.value.stderr) == (3, "no\n")
        with pytest.raises(TimeoutException):
            sandbox.commands.run("sleep 60", timeout=1)

        sandbox.run_code("x = 20")
        ran = sandbox.run_code(f"print(open({written.path!r}).read(), end=''); x + 1", on_stdout=lambda line: pieces.append(line.line))
        assert ran.text == "21" and ran.logs.stdout == ["lake,otters\n", "North,3\n"] and ran.error is None
        assert "".join(pieces).endswith("lake,otters\nNorth,3\n")
        drawn = sandbox.run_code("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1]); plt.show()")
        assert any(result.png for result in drawn.results)
        raised = sandbox.run_code("1 / 0").error
        assert raised is not None and (raised.name, raised.value) == ("ZeroDivisionError", "division by zero")
        assert sandbox.run_code("console.log(6 * 7)", language="javascript").logs.stdout == ["42\n"]

        assert [(one.name, one.type and one.type.value) for one in sandbox.files.list("data")] == [("lakes.csv", "file")]
        assert sandbox.files.make_dir("new") and not sandbox.files.make_dir("new")
        sandbox.files.rename("data/lakes.csv", "new/lakes.csv")
        assert sandbox.files.exists("new/lakes.csv") and sandbox.files.read("new/lakes.csv", format="bytes")[:4] == b"lake"
        sandbox.files.remove("new")
        with pytest.raises(FileNotFoundException):
            sandbox.files.read("new/lakes.csv")
        with pytest.raises(InvalidArgumentException):
            sandbox.files.read("/etc/passwd")
        sandbox.set_timeout(600)
        assert Sandbox.connect(sandbox.sandbox_id).is_running()
    assert not sandbox.is_running() and not sandbox.kill()
    with pytest.raises(SandboxNotFoundException):
        Sandbox.connect(sandbox.sandbox_id)
    with Sandbox.create() as sandbox:
        with pytest.raises(InvalidArgumentException, match="root"):
            sandbox.commands.run("id", user="root")


def test_commands_go_on_in_the_background() -> None:
    with Sandbox.create() as sandbox:
        handle = sandbox.commands.run("echo begun; until [ -e go ]; do sleep 0.1; done; echo ended", background=True)
        sandbox.commands.run("touch go")
        assert handle.pid > 0 and handle.wait().stdout == "begun\nended\n"
        endless = sandbox.commands.run("sleep 600", background=True)
        assert endless.kill()


def test_the_same_with_await() -> None:
    async def main() -> None:
        async with await AsyncSandbox.create() as sandbox:
            await sandbox.files.write("a.txt", "one")
            assert (await sandbox.commands.run("cat a.txt")).stdout == "one"
            assert (await sandbox.run_code("6 * 7")).text == "42"

    asyncio.run(main())


SECRET = "hunter2-of-the-otter"


def test_envs_are_those_of_one_run_and_stand_in_no_file_and_no_history(ty: Toolyard) -> None:
    with Sandbox.create(envs={"MODE": "all", "API_TOKEN": SECRET}) as sandbox:
        session = ty.sessions.get(sandbox.sandbox_id)
        assert sandbox.run_code("import os\nos.environ['MODE'], len(os.environ['API_TOKEN'])").text == f"('all', {len(SECRET)})"
        assert sandbox.run_code("%%bash\necho $MODE $ONCE", envs={"ONCE": "one run"}).logs.stdout == ["all one run\n"]
        raised = sandbox.run_code("1 / 0").error
        assert raised is not None and "----> 1 1 / 0" in raised.traceback
        sandbox.run_code("os.environ['KEPT'] = 'by the code'\nimport time\ntime.sleep(60)", envs={"ONCE": "one run"}, timeout=1)
        # A plain cell of the same kernel has none of them.
        assert session.python("os.environ['KEPT']").result == "'by the code'"
        assert session.python("[name for name in ('MODE', 'ONCE', 'API_TOKEN') if name in os.environ]").result == "[]"
        heard: List[str] = []
        told = sandbox.run_code("print(os.environ['API_TOKEN'])\nos.environ['API_TOKEN']", on_stdout=lambda one: heard.append(one.line))
        assert (told.text, told.logs.stdout, "".join(heard)) == ("'***'", ["***\n"], "***\n")
        assert SECRET not in sandbox.files.read("python_notebook.ipynb")
        calls = [session.get_call(call["call_id"]) for call in session.calls(tool="notebook_execute")]
        assert len(calls) == 7 and SECRET not in repr(calls) and "API_TOKEN" in repr(calls)


def test_long_output_is_whole_and_says_what_was_not_shown() -> None:
    whole = "".join(f"{n}\n" for n in range(1, 200_001))
    with Sandbox.create() as sandbox:
        heard: List[str] = []
        done = sandbox.commands.run("seq 200000; seq 20000 >&2", on_stdout=heard.append)
        assert done.stdout == whole and done.stderr == "".join(f"{n}\n" for n in range(1, 20_001))
        told = "".join(heard)
        assert len(told) < len(whole) and "bytes of output not shown" in told and told.endswith("200000\n")
        with pytest.raises(CommandExitException) as failed:
            sandbox.commands.run("seq 20000; exit 3")
        assert failed.value.stdout.count("\n") == 20_000
        assert "".join(sandbox.run_code("seq 20000", language="bash").logs.stdout).count("\n") == 20_000
        # The values of secrets stand in no file, so that nothing has the whole.
        hidden = sandbox.commands.run("seq 20000", envs={"API_TOKEN": SECRET}).stdout
        assert hidden.startswith("1\n2\n") and "left out here" in hidden and len(hidden) > 60_000
        lines: List[str] = []
        cell = sandbox.run_code("for n in range(200000): print(n)", on_stdout=lambda one: lines.append(one.line))
        assert "bytes of output not shown" in "".join(lines)
        assert "left out here; the whole is in logs/" in "".join(cell.logs.stdout)


def test_a_timeout_of_0_is_the_longest_and_one_in_the_background_counts(ty: Toolyard) -> None:
    with Sandbox.create() as sandbox:
        assert sandbox.commands.run("echo done", timeout=0).stdout == "done\n"
        sandbox.run_code("echo done", language="bash", timeout=0)
        heard: List[str] = []
        handle = sandbox.commands.run("echo begun; sleep 600", background=True, timeout=1, on_stdout=heard.append)
        with pytest.raises(TimeoutException):
            handle.wait()
        assert heard == ["begun\n"]
        calls = ty.sessions.get(sandbox.sandbox_id).calls(tool="execute_shell")
        assert [json.loads(call["arguments"])["timeout"] for call in calls] == [1, 300, 82_800]


def test_a_timeout_is_set_by_the_clock_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    class Slow(datetime):
        @classmethod
        def now(cls, tz: Optional[tzinfo] = None) -> "Slow":
            return cls.fromtimestamp(datetime.now(tz).timestamp() - 1_200, tz)

    with Sandbox.create(timeout=3_600) as sandbox:
        # The server of the test has this machine's clock, and the client another one.
        for module in ("toolyard.compat.e2b._sync", "toolyard.compat.e2b._models"):
            monkeypatch.setattr(f"{module}.datetime", Slow, raising=False)
        sandbox.set_timeout(600)
        end = sandbox.get_info().end_at
        assert end is not None and 590 < end.timestamp() - datetime.now(timezone.utc).timestamp() < 610


def test_the_error_of_the_block_stays_and_nothing_is_left_open(ty: Toolyard, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: List[httpx.Client] = []
    refuses = True

    def send(self: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        opened.append(self)
        if request.method == "DELETE" and refuses:
            return httpx.Response(403, json={"code": "forbidden", "detail": "may not", "status": 403}, request=request)
        return real(self, request, **options)

    real = httpx.Client.send
    monkeypatch.setattr(httpx.Client, "send", send)
    names: List[str] = []
    for body, raised in ((KeyError("of the block"), KeyError), (None, AuthenticationException)):
        with pytest.raises(raised):
            with Sandbox.create() as sandbox:
                names.append(sandbox.sandbox_id)
                if body is not None:
                    raise body
        assert opened[-1].is_closed
    with pytest.raises(SandboxNotFoundException):
        Sandbox.connect("none-of-this-name")
    assert opened[-1].is_closed
    refuses = False
    for name in names:
        ty.sessions.delete(name)


def test_a_sandbox_that_is_gone_is_not_killed_again(ty: Toolyard) -> None:
    sandbox = Sandbox.create()
    other = Sandbox.connect(sandbox.sandbox_id)
    assert sandbox.kill() and not sandbox.kill() and not other.kill()
    assert not other.is_running()


def test_the_home_is_a_directory_and_no_directory_takes_the_place_of_a_file() -> None:
    with Sandbox.create() as sandbox:
        for path in ("/home/user", "/home/user/workspace", ".", "/home/user/"):
            home = sandbox.files.get_info(path)
            assert (home.path, home.type and home.type.value) == ("/home/user/workspace", "dir") and sandbox.files.exists(path)
        assert not sandbox.files.make_dir("/home/user")
        sandbox.files.write("a.txt", "one")
        with pytest.raises(InvalidArgumentException, match="a.txt"):
            sandbox.files.make_dir("a.txt")
        assert sandbox.files.read("a.txt") == "one"

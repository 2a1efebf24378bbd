"""Commands, Python and tools."""

from typing import List

import pytest

from toolyard import ApiError, Cell, CodeFailed, CommandFailed, NotFound, Session, TimedOut, ToolFailed, ToolResult


def test_a_command_has_its_output_and_exit_code(s: Session) -> None:
    done = s.run("cat; echo $NAME; pwd; echo bad >&2; exit 3", stdin="in\n", env={"NAME": "otter"}, cwd=".")
    assert done.exit_code == 3 and not done.ok and done.stderr == "bad\n"
    assert done.stdout.split("\n")[:2] == ["in", "otter"] and "exit_code=3" in repr(done)
    with pytest.raises(CommandFailed, match="bad"):
        s.run("echo bad >&2; false", check=True)


def test_output_comes_while_a_command_runs(s: Session) -> None:
    pieces: List[str] = []
    errors: List[str] = []

    def go_on(piece: str) -> None:
        pieces.append(piece)
        # The command waits for this file: without output before its end it never ends.
        s.run("touch go")

    done = s.run("echo one; until [ -e go ]; do sleep 0.1; done; echo two; echo no >&2", on_stdout=go_on, on_stderr=errors.append)
    assert "".join(pieces) == done.stdout == "one\ntwo\n" and errors == ["no\n"]


def test_a_command_beyond_its_time_says_what_it_printed(s: Session) -> None:
    with pytest.raises(ToolFailed) as stopped:
        s.run("echo begun; sleep 60", timeout=1)
    assert stopped.value.code == "timeout" and stopped.value.data["stdout"] == "begun\n"


def test_python_keeps_its_variables_and_shows_its_pictures(s: Session) -> None:
    assert s.python("x = 20").result is None
    cell = s.python("print('seen'); x + 1")
    assert (cell.stdout, cell.result, cell.ok) == ("seen\n", "21", True)
    drawn = s.python("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert [image.data[:4] for image in drawn.images] == [b"\x89PNG"]
    assert drawn.images[0]._repr_png_() == drawn.images[0].data and "data:image/png" in drawn._repr_html_()


def test_what_python_raises_is_a_result(s: Session) -> None:
    cell = s.python("1 / 0")
    assert isinstance(cell, Cell) and cell.error is not None
    assert (cell.error.name, cell.error.value) == ("ZeroDivisionError", "division by zero")
    with pytest.raises(CodeFailed, match="ZeroDivisionError"):
        cell.check()


def test_html_of_a_sandbox_stays_out_of_the_page_of_the_notebook(s: Session) -> None:
    cell = s.python("from IPython.display import HTML\nHTML('<script>alert(1)</script>')")
    assert cell._repr_html_().startswith("<iframe sandbox srcdoc=")
    assert "<script>" not in s.run("echo '<script>alert(1)</script>'")._repr_html_()


def test_tools_are_called_by_name(s: Session) -> None:
    s.tool("file_write", file_path="a.txt", content="one two")
    assert s.tool("file_read", {"file_path": "a.txt"})["content"] == "one two"
    with pytest.raises(NotFound, match="file_read"):
        s.tool("file_reed")
    with pytest.raises((ToolFailed, ApiError), match="none.txt"):
        s.tool("file_read", file_path="none.txt")
    assert s.calls(tool="file_write").all()[0]["state"] == "done"


def test_a_begun_call_goes_on_and_is_followed_and_cancelled(s: Session) -> None:
    call = s.begin("execute_shell", {"command": "echo begun; until [ -e go ]; do sleep 0.1; done"})
    with call.follow() as events:
        first = next(event for event in events if event.name == "stdout")
    assert first.data["text"] == "begun\n"
    with pytest.raises(TimedOut):
        call.wait(timeout=0)
    s.run("touch go")
    assert call.wait().data["exit_code"] == 0
    endless = s.begin("execute_shell", {"command": "sleep 600"})
    endless.cancel()
    with pytest.raises(ToolFailed, match="cancel"):
        endless.wait()


def test_a_batch_has_an_error_in_the_place_of_what_failed(s: Session) -> None:
    done, refused = s.batch([{"tool": "dir_list"}, {"tool": "file_reed"}])
    assert isinstance(done, ToolResult) and isinstance(refused, NotFound)

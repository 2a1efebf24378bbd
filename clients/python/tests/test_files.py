"""Files: contents, conditions, transfers, and who changes them."""

import io
from pathlib import Path
from typing import List

import pytest

from toolyard import NotFound, PreconditionFailed, Progress, ProgressLine, Session


def test_files_are_written_read_and_edited(s: Session) -> None:
    written = s.files.write("notes/ü b#?.txt", "one two")
    assert written["created"] and s.files.read("notes/ü b#?.txt") == "one two"
    s.files.edit("notes/ü b#?.txt", "two", "three")
    assert s.files.read_bytes("notes/ü b#?.txt") == b"one three"
    assert [entry["path"] for entry in s.files.list("notes")] == ["notes/ü b#?.txt"]
    s.files.move("notes/ü b#?.txt", "b.txt")
    assert not s.files.exists("notes/ü b#?.txt") and s.files.exists("notes") and s.files.exists("b.txt")
    s.files.delete("b.txt")
    with pytest.raises(NotFound):
        s.files.read("b.txt")


def test_conditions_keep_the_work_of_others(s: Session) -> None:
    first = s.files.write("a.txt", "1", create=True)
    with pytest.raises(PreconditionFailed):
        s.files.write("a.txt", "2", create=True)
    s.files.write("a.txt", "2", if_match=first["etag"])
    with pytest.raises(PreconditionFailed):
        s.files.write("a.txt", "3", if_match=first["etag"])
    assert s.files.read("a.txt") == "2" and s.files.read("a.txt", as_of=first["commit"]) == "1"


def test_transfers_tell_their_progress(s: Session, tmp_path: Path) -> None:
    content = bytes(range(256)) * 4096
    source, target = tmp_path / "source.bin", tmp_path / "target.bin"
    source.write_bytes(content)
    seen: List[Progress] = []
    s.files.upload(str(source), "big.bin", on_progress=seen.append)
    assert len(seen) == 4 and (seen[-1].done, seen[-1].fraction) == (len(content), 1.0)
    seen.clear()
    assert s.files.download("big.bin", str(target), on_progress=seen.append) == len(content)
    assert target.read_bytes() == content and seen[-1].done == len(content)
    shown = io.StringIO()
    ProgressLine("big.bin", shown)(seen[-1])
    assert shown.getvalue() == "big.bin: 1.0 MiB of 1.0 MiB (100 %)\n"
    with pytest.raises(NotFound):
        s.files.download("none.bin", str(target))
    assert target.read_bytes() == content and sorted(tmp_path.iterdir()) == [source, target]


def test_archives_and_links(s: Session) -> None:
    s.files.write("in/a.txt", "a")
    assert s.files.unpack(s.files.archive("in"), "out")["files"] == 1
    assert s.files.read("out/a.txt") == "a"
    import urllib.request

    with urllib.request.urlopen(s.files.link("in/a.txt")) as answer:
        assert answer.read() == b"a"


def test_watching_gives_each_commit(s: Session) -> None:
    with s.files.watch("src") as events:
        assert next(events).name == "watching"
        s.files.write("elsewhere.txt", "x")
        s.tool("file_write", file_path="src/a.txt", content="x")
        event = next(events)
    assert event.name == "commit" and "src/a.txt" in event.paths and event.tool == "file_write"

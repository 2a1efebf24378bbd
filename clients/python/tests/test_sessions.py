"""Sessions: made, found, changed, forked, and deleted at the end."""

import pytest

from toolyard import Conflict, NotFound, SessionNotFound, Toolyard


def test_a_session_is_deleted_at_the_end_of_with(ty: Toolyard) -> None:
    with ty.sessions.create() as s:
        assert ty.sessions.get(s.name).name == s.name
    with pytest.raises(SessionNotFound) as refused:
        ty.sessions.get(s.name)
    assert isinstance(refused.value, NotFound)
    assert refused.value.status == 404 and refused.value.hint and refused.value.request_id


def test_a_session_that_is_kept_stays_until_it_is_deleted(ty: Toolyard) -> None:
    with ty.sessions.create("kept/with slash", keep=True, labels={"team": "otters"}) as s:
        s.files.write("a.txt", "a")
    with pytest.raises(Conflict):
        ty.sessions.create("kept/with slash")
    again = ty.sessions.create("kept/with slash", if_exists="return")
    assert again.files.read("a.txt") == "a"
    assert [one["name"] for one in ty.sessions.list(labels={"team": "otters"})] == ["kept/with slash"]
    again.update(title="Otters", labels={"team": None})
    assert again.refresh()["title"] == "Otters" and again.info["labels"] == {}
    again.delete()
    again.delete()
    assert ty.sessions.list(labels={"team": "otters"}).first() is None


def test_a_list_goes_on_over_its_pages(ty: Toolyard) -> None:
    with ty.sessions.create(files={f"many/{at:03}.txt": "x" for at in range(230)}) as s:
        assert len(s.files.list("many").all()) == 230
        assert len(s.files.list("many").all(limit=7)) == 7
        assert "<td>many/000.txt</td>" in s.files.list("many").all()._repr_html_()


def test_history_leads_back_and_forks_go_on_from_a_moment(ty: Toolyard) -> None:
    with ty.sessions.create() as s:
        s.files.write("plan.txt", "first\n")
        s.snapshots.create("before")
        s.files.write("plan.txt", "second\n")
        s.files.write("other.txt", "kept\n")
        diff = s.diff("before", path="plan.txt")
        assert diff.paths == ["plan.txt"] and "-first\n+second" in str(diff) and "background" in diff._repr_html_()
        assert "diff --git a/plan.txt" in s.patch("before")
        with s.fork(as_of="before") as fork:
            assert fork.files.read("plan.txt") == "first\n"
        assert s.undo(path="plan.txt")["changed"] == 1
        assert s.files.read("plan.txt") == "first\n" and s.files.read("other.txt") == "kept\n"
        s.undo()
        assert s.files.read("plan.txt") == "second\n"
        s.restore("before")
        assert not s.files.exists("other.txt")
        newest = s.history().first()
        assert newest is not None and newest["changed"] == 2
        assert [one["name"] for one in s.snapshots.list()] == ["before"]
        s.snapshots.delete("before")
        assert s.snapshots.list().all() == []

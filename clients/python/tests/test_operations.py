"""Operations by their routes, and what a session says of itself."""

import io
from typing import List

import httpx
import pytest

from toolyard import Hooks, NotFound, PreconditionFailed, RequestEvent, Session, Toolyard


def test_any_operation_is_asked_by_its_route(ty: Toolyard, s: Session) -> None:
    assert isinstance(ty.request("GET /v1/keys/current")["scopes"], list)
    changed = ty.request("PATCH /v1/sessions/{session}", path={"session": s.name}, body={"title": "Otters"})
    assert changed["title"] == "Otters" and s.refresh()["title"] == "Otters"
    place = {"session": s.name, "path": "in/ü b#?.txt"}
    file = "/v1/sessions/{session}/files/{path}"
    for body in ("ü", "ü".encode(), io.BytesIO("ü".encode())):
        written = ty.request(f"PUT {file}", path=place, body=body)
        assert s.files.read("in/ü b#?.txt") == "ü"
    with ty.raw(f"GET {file}", path=place) as response:
        assert response.headers["etag"] and b"".join(response.iter_bytes()) == "ü".encode()
    with pytest.raises(PreconditionFailed):
        ty.request(f"PUT {file}", path=place, body="", headers={"If-Match": '"other"'})
    ty.request(f"PUT {file}", path=place, body="", headers={"If-Match": written["etag"]})
    assert ty.request(f"DELETE {file}", path=place) is None and not s.files.exists("in/ü b#?.txt")
    with pytest.raises(NotFound):
        ty.request(f"DELETE {file}", path=place)


def test_any_list_is_read_by_pages(ty: Toolyard) -> None:
    names = [kit["name"] for kit in ty.pages("GET /v1/toolkits", query={"limit": 5})]
    assert len(names) == len(set(names)) > 5
    with pytest.raises(ValueError, match="GET"):
        ty.pages("POST /v1/sessions")


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_no_name_leads_to_another_path(name: str, base_url: str) -> None:
    sent: List[RequestEvent] = []
    with Toolyard(base_url, hooks=Hooks(on_request=sent.append)) as ty:
        with pytest.raises(ValueError, match="is no session"):
            ty.request("DELETE /v1/sessions/{session}", path={"session": name})
        with pytest.raises(ValueError, match="is no route"):
            ty.request("v1/sessions")
    assert sent == []


def test_a_session_tells_all_changes_of_a_commit_and_its_tools(s: Session) -> None:
    s.files.unpack(_archive_of(150), "many")
    newest = s.history().first()
    assert newest is not None
    paths = [change["path"] for change in s.changes(newest["commit"])]
    assert len(paths) > len(newest["changes"]) and {f"many/{at:03}.txt" for at in range(150)} <= set(paths)
    assert [change["path"] for change in s.changes("HEAD")] == paths
    # Its own tools are those that were registered in it.
    assert s.tools().all() == []


def _archive_of(files: int) -> bytes:
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for at in range(files):
            archive.writestr(f"{at:03}.txt", "x")
    return made.getvalue()


def test_nothing_is_undone_when_somebody_changes_files_in_between(base_url: str, s: Session) -> None:
    s.files.write("plan.txt", "first\n")
    s.files.write("plan.txt", "second\n")

    def change(event: RequestEvent) -> None:
        # The moment between the history that undo reads and its restore.
        if event.path.endswith("/restore"):
            s.files.write("mine.txt", "new\n")

    with Toolyard(base_url, hooks=Hooks(on_request=change)) as other:
        with pytest.raises(PreconditionFailed):
            other.sessions.get(s.name).undo()
        with pytest.raises(PreconditionFailed):
            other.sessions.get(s.name).undo(path="plan.txt")
    assert s.files.read("plan.txt") == "second\n" and s.files.exists("mine.txt")
    assert s.undo(path="plan.txt", dry_run=True)["restored"] is False
    s.undo(path="plan.txt")
    assert s.files.read("plan.txt") == "first\n" and s.files.exists("mine.txt")


def test_a_hook_sets_headers_and_sees_no_key(base_url: str) -> None:
    seen: List[str] = []
    sent: List[httpx.Headers] = []
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    class Recording(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            sent.append(request.headers)
            return httpx.Response(200, json={"name": "a"})

    def trace(event: RequestEvent) -> None:
        seen.append(repr(list(event.headers.raw)))
        event.headers["traceparent"] = parent
        event.headers["Authorization"] = "Bearer another"

    http_client = httpx.Client(transport=Recording())
    with Toolyard(base_url, "tyk_secret-of-mine", hooks=Hooks(trace), http_client=http_client) as ty:
        ty.request("POST /v1/sessions", body={"name": "a"}, idempotency_key="once")
    assert [headers["traceparent"] for headers in sent] == [parent]
    assert [headers.get_list("authorization") for headers in sent] == [["Bearer tyk_secret-of-mine"]]
    assert "once" in seen[0] and "secret-of-mine" not in seen[0]


def test_a_session_can_be_given_less_time(base_url: str) -> None:
    waits: List[float] = []

    class Recording(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            waits.append(request.extensions["timeout"]["read"])
            return httpx.Response(200, json={"name": "a", "state": "ready"})

    with Toolyard(base_url, http_client=httpx.Client(transport=Recording())) as ty:
        s = ty.sessions.get("a")
        s.with_timeout(5).files.write("a.txt", "one")
        s.files.write("a.txt", "one")
    assert waits == [60.0, 5, 300.0]


def test_values_say_what_they_are(s: Session) -> None:
    assert repr(s) == f"Session(name={s.name!r}, state={s.info['state']!r})"
    first = s.files.write("a.txt", "one\n")["commit"]
    second = s.files.write("a.txt", "two\n")["commit"]
    assert repr(s.diff()) == f"Diff({first} → {second}: 1 modified)"
    assert repr(s.diff(second, second)) == f"Diff({second} → {second}: nothing differs)"
    assert repr(s.python("print('seen'); 6 * 7")) == "Cell(result='42', stdout='seen\\n')"
    assert repr(s.python("1 / 0")) == "Cell(error='ZeroDivisionError')"
    drawn = s.python("%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert repr(drawn) == "Cell(images=1)"
    assert repr(drawn.images[0]) == f"Image(image/png, {len(drawn.images[0].data)} bytes)"
    assert repr(drawn.outputs[0]).startswith("CellOutput(") and "image/png" in repr(drawn.outputs[0])
    long = s.run("seq 1000; echo no >&2")
    assert repr(long).startswith("CommandResult(exit_code=0, stdout='1\\n2\\n") and len(repr(long)) < 250
    assert repr(long).endswith("…', stderr='no\\n')")
    listed = s.tool("dir_list")
    assert repr(listed).startswith("ToolResult(tool='dir_list', state='done', text=")

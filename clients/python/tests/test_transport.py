"""What happens on bad connections: a server between the client and the real one answers as they do."""

import json
import time
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from typing import Any, Callable, Dict, Iterator, List, Tuple

import httpx
import pytest

from toolyard import (
    ConnectionFailed,
    Hooks,
    KeyInUse,
    RateLimited,
    RetryEvent,
    RetryPolicy,
    Session,
    TimedOut,
    Toolyard,
    ToolyardError,
    Unauthenticated,
)
from toolyard._errors import BY_CODE
from toolyard._sse import EventDecoder, ServerEvent
from toolyard._sync._transport import Request


class Between(httpx.BaseTransport):
    """Answers the first requests by itself, and has the others answered by the real server."""

    def __init__(self, *answers: Callable[[httpx.Request], httpx.Response]) -> None:
        self.answers = list(answers)
        self.keys: List[str] = []
        self.real = httpx.HTTPTransport()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.keys.append(request.headers.get("idempotency-key", ""))
        return self.answers.pop(0)(request) if self.answers else self.real.handle_request(request)


def problem(status: int, code: str, **headers: str) -> Callable[[httpx.Request], httpx.Response]:
    retryable = code in ("rate_limited", "unavailable", "key_in_use")
    body = {"status": status, "code": code, "detail": code, "hint": "", "retryable": retryable}
    return lambda _: httpx.Response(status, json=body, headers=headers)


def cut(_: httpx.Request) -> httpx.Response:
    raise httpx.ReadError("cut")


def client(base_url: str, between: Between, seen: List[RetryEvent]) -> Toolyard:
    policy = RetryPolicy(2, first_delay=0.01)
    return Toolyard(base_url, hooks=Hooks(on_retry=seen.append), retries=policy, http_client=httpx.Client(transport=between))


def test_a_request_is_sent_again_under_its_key(base_url: str) -> None:
    seen: List[RetryEvent] = []
    between = Between(cut, problem(429, "rate_limited", **{"Retry-After": "0.2"}))
    with client(base_url, between, seen).sessions.create():
        assert len(set(between.keys)) == 1 and between.keys[0] and len(between.keys) == 3
        assert [event.delay for event in seen][1] == 0.2


def test_what_was_carried_out_is_not_carried_out_again(base_url: str) -> None:
    lost: List[int] = []

    def lose(request: httpx.Request) -> httpx.Response:
        lost.append(httpx.HTTPTransport().handle_request(request).status_code)
        raise httpx.RemoteProtocolError("the answer was lost")

    between = Between()
    with client(base_url, between, []).sessions.create() as s:
        between.answers.append(lose)
        s.run("echo once >> count.txt")
        assert lost == [200] and s.files.read("code_run/count.txt") == "once\n"


def test_retries_end(base_url: str) -> None:
    between = Between(cut, cut, cut, cut)
    with pytest.raises(ConnectionFailed):
        client(base_url, between, []).sessions.list().all()
    assert len(between.answers) == 1
    with pytest.raises(RateLimited):
        client(base_url, Between(problem(429, "rate_limited", **{"Retry-After": "3600"})), []).sessions.list().all()
    refused = Between(problem(401, "unauthenticated"))
    with pytest.raises(Unauthenticated):
        client(base_url, refused, []).sessions.list().all()
    assert len(refused.keys) == 1


def test_a_call_is_waited_for_no_longer_than_said(base_url: str, s: Session) -> None:
    s.run("true")
    for hears in (None, print):
        began = time.monotonic()
        with pytest.raises(TimedOut):
            s.call("execute_shell", {"command": "sleep 30"}, timeout=1, on_stdout=hears)
        # The command itself would have lasted for thirty seconds.
        assert time.monotonic() - began < 15


def test_a_stream_that_lives_ends_at_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000.0]
    reads: List[float] = []
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    class Living(httpx.SyncByteStream):
        """A call whose stream has a comment every fifteen seconds, as long as a read waits for it."""

        def __init__(self, patience: float) -> None:
            self.patience = patience

        def __iter__(self) -> Iterator[bytes]:
            yield b'event: call\nid: 1\ndata: {"call_id": "c", "tool": "t", "state": "running"}\n\n'
            while True:
                now[0] += min(15.0, self.patience)
                assert now[0] < 1_200, "it goes on behind its deadline"
                if self.patience < 15:
                    raise httpx.ReadTimeout("silent")
                yield b": nothing new\n\n"

    class Server(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            if request.url.path == "/v1/sessions/a":
                return httpx.Response(200, json={"name": "a", "state": "ready"})
            reads.append(request.extensions["timeout"]["read"])
            return httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=Living(reads[-1]))

    with Toolyard("http://between", http_client=httpx.Client(transport=Server())) as ty:
        with pytest.raises(TimedOut):
            ty.sessions.get("a").call("t", timeout=100, on_stdout=print)
    assert reads == [60, 10] and now[0] == 1_100


def test_a_repetition_that_meets_its_own_first_attempt_says_that_no_answer_came(base_url: str) -> None:
    def silent(_: httpx.Request) -> httpx.Response:
        raise httpx.ReadTimeout("silent")

    between = Between(silent, *[problem(409, "key_in_use")] * 9)
    policy = RetryPolicy(1, first_delay=0.01)
    with Toolyard(base_url, retries=policy, http_client=httpx.Client(transport=between)) as ty:
        with pytest.raises(TimedOut):
            ty._transport.request(Request("POST", "/v1/sessions", json={}, patience=0))
        with pytest.raises(KeyInUse):
            ty._transport.request(Request("POST", "/v1/sessions", json={}, patience=0))


def test_events_go_on_where_they_were_cut(base_url: str) -> None:
    ids: List[str] = []

    class Cutting(httpx.SyncByteStream):
        """Breaks off behind the first piece of output."""

        def __init__(self, stream: Iterator[bytes]) -> None:
            self.stream = stream

        def __iter__(self) -> Iterator[bytes]:
            for piece in self.stream:
                yield piece
                if b"stdout" in piece:
                    raise httpx.ReadError("cut")

    class Cut(Between):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            answer = super().handle_request(request)
            if answer.headers.get("content-type", "").startswith("text/event-stream"):
                ids.append(request.headers.get("last-event-id", ""))
                if len(ids) < 3:
                    return httpx.Response(200, headers=answer.headers, stream=Cutting(iter(answer.stream)))  # type: ignore[arg-type]
            return answer

    pieces: List[str] = []
    with client(base_url, Cut(), []).sessions.create() as s:
        done = s.run("for n in 1 2 3; do echo $n; sleep 0.5; done", on_stdout=pieces.append)
    assert "".join(pieces) == done.stdout == "1\n2\n3\n"
    assert ids[0] == "" and all(ids[1:3])


def test_a_stream_that_is_only_quiet_lives_on(base_url: str) -> None:
    def kept_open_for_a_while(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=": heartbeat\n\n")

    between = Between()
    with client(base_url, between, []).sessions.create() as s, s.files.watch() as events:
        between.answers += [kept_open_for_a_while] * 9
        assert next(events).name == "watching" and between.answers == []


@pytest.mark.parametrize("text", ["", "<p>Sign in</p>\n"])
def test_a_stream_that_never_says_anything_is_given_up(base_url: str, text: str) -> None:
    between = Between()
    with client(base_url, between, []).sessions.create() as s, s.files.watch() as events:
        between.answers += [lambda _: httpx.Response(200, text=text)] * 9
        with pytest.raises(ConnectionFailed, match="again and again"):
            next(events)
        between.answers.clear()


def test_a_date_is_waited_for_too(base_url: str) -> None:
    seen: List[RetryEvent] = []
    soon = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=2), usegmt=True)
    between = Between(problem(429, "rate_limited", **{"Retry-After": soon}))
    client(base_url, between, seen).sessions.list().all()
    # A date has whole seconds, and time goes on.
    assert [0.0 <= event.delay <= 2.0 for event in seen] == [True] and len(between.keys) == 2
    late = format_datetime(datetime.now(timezone.utc) + timedelta(hours=1), usegmt=True)
    with pytest.raises(RateLimited):
        client(base_url, Between(problem(429, "rate_limited", **{"Retry-After": late})), []).sessions.list().all()
    # What is no date says nothing: the client waits as if there were none.
    client(base_url, Between(problem(429, "rate_limited", **{"Retry-After": "soon"})), seen).sessions.list().all()
    assert seen[-1].delay <= 0.01


def test_progress_of_a_call_is_told(base_url: str) -> None:
    answer = {"call_id": "c", "tool": "code_task_execute", "state": "done", "text": "made", "data": {}}
    call = {"call_id": "c", "tool": "code_task_execute", "state": "running"}
    sent = [("call", call), ("progress", {"line": "reads a.txt"}), ("progress", {"line": "writes b.txt"}), ("result", answer)]
    text = "".join(f"event: {name}\nid: {at}\ndata: {json.dumps(data)}\n\n" for at, (name, data) in enumerate(sent))

    def events(request: httpx.Request) -> httpx.Response:
        assert request.headers["accept"] == "text/event-stream"
        return httpx.Response(200, headers={"content-type": "text/event-stream"}, text=text)

    between = Between()
    lines: List[str] = []
    with client(base_url, between, []).sessions.create() as s:
        between.answers.append(events)
        assert s.call("code_task_execute", {"prompt": "p"}, on_progress=lines.append).text == "made"
    assert lines == ["reads a.txt", "writes b.txt"]


def test_what_a_call_printed_and_nobody_kept_is_told(base_url: str) -> None:
    sent: List[Tuple[str, Dict[str, Any]]] = [
        ("call", {"call_id": "c", "tool": "execute_shell", "state": "running"}),
        ("gap", {"missed_lines": 3}),
        ("gap", {"missed_pieces": 2}),
        ("stdout", {"text": "b"}),
        ("gap", {"stream": "stderr", "skipped_bytes": 1_300}),
        ("stderr", {"text": "e"}),
        ("result", {"call_id": "c", "tool": "execute_shell", "state": "done", "text": "", "data": {"exit_code": 0}}),
    ]
    text = "".join(f"event: {name}\nid: {at}\ndata: {json.dumps(data)}\n\n" for at, (name, data) in enumerate(sent))
    between = Between()
    out: List[str] = []
    err: List[str] = []
    lines: List[str] = []
    with client(base_url, between, []).sessions.create() as s:
        for hears in ({"on_stdout": out.append, "on_stderr": err.append, "on_progress": lines.append}, {"on_stderr": err.append}):
            between.answers.append(lambda _: httpx.Response(200, headers={"content-type": "text/event-stream"}, text=text))
            s.call("execute_shell", {"command": "x"}, **hears)  # type: ignore[arg-type]
    assert out == ["\n[… output not shown …]\n", "b"] and lines == ["[… 3 lines not shown …]"]
    skipped = "\n[… 1300 bytes of output not shown …]\n"
    assert err == [skipped, "e", "\n[… output not shown …]\n", skipped, "e"]


def test_a_body_that_breaks_off_is_asked_for_again(base_url: str) -> None:
    class Broken(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b"ott"
            raise httpx.ReadTimeout("the body stalled")

    def broken(_: httpx.Request) -> httpx.Response:
        return httpx.Response(200, headers={"content-length": "6"}, stream=Broken())

    between = Between()
    with client(base_url, between, []).sessions.create() as s:
        s.files.write("a.txt", "otters")
        between.answers.append(broken)
        assert s.files.read("a.txt") == "otters"
        between.answers += [broken] * 3
        with pytest.raises(TimedOut):
            s.files.read("a.txt")


def test_a_key_is_shown_nowhere(base_url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "toolyard")
    seen: List[object] = []
    hooks = Hooks(seen.append, seen.append, seen.append)
    with Toolyard(base_url, "tyk_secret-of-mine", hooks=hooks) as ty:
        with pytest.raises(ToolyardError) as refused:
            ty.sessions.list().all()
        told = f"{ty!r} {ty.sessions!r} {refused.value!r} {seen!r} {caplog.text}"
    assert len(seen) == 2 and "secret-of-mine" not in told


def test_every_code_of_the_document_has_a_class(base_url: str) -> None:
    document = httpx.get(f"{base_url}/v1/openapi.json").json()
    assert set(BY_CODE) == set(document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"])


def test_events_are_read_whatever_pieces_they_come_in() -> None:
    text = 'id: 1\r\nevent: stdout\r\ndata: {"text":"ü\u2028\u0085"}\r\n\r\n: heartbeat\nid: 2\n\ndata: {}\r\r'
    for size in (1, 2, 3, 1000):
        decoder = EventDecoder()
        raw = text.encode()
        events = [event for at in range(0, len(raw), size) for event in decoder.feed(raw[at : at + size])]
        assert events == [ServerEvent("stdout", {"text": "ü\u2028\u0085"}, "1"), ServerEvent("message", {}, "2")]

"""Results of tools for models."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any, List, cast

import pytest

from toolyard import (
    AsyncToolyard,
    ConnectionFailed,
    Image,
    RateLimited,
    Session,
    SessionNotFound,
    ToolFailed,
    ToolResult,
    Toolyard,
    Unauthenticated,
    adapters,
)
from toolyard._model_results import failure_of, result_of
from toolyard.adapters import ModelResult, aio, tool_result

DRAW = """
import struct, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
header = struct.pack(">IIBBBBB", 4, 2, 8, 2, 0, 0, 0)
rows = b"".join(b"\\0" + bytes([255, 140, 0]) * 4 for _ in range(2))
open("a.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
"""
READ = {"file_path": "code_run/a.png"}
WRONG = {"file_path": "none.txt"}


@pytest.fixture
def drawn(s: Session) -> Session:
    """A session with a picture."""
    s.files.write("code_run/draw.py", DRAW)
    s.run("python3 draw.py", check=True)
    return s


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("file_reed", {}, "file_read"),
        ("file_read", "{}", "file_path"),
        ("dir_list", {"page": 1}, "unknown parameter: page"),
        ("dir_list", '{"recursive": tr', "no JSON object"),
        ("dir_list", [1], "no JSON object"),
        ("file_read", WRONG, "File not found: none.txt"),
    ],
)
def test_a_model_is_told_what_it_can_mend(s: Session, name: str, arguments: object, says: str) -> None:
    result = tool_result(s, name, arguments)
    assert result.is_error and result.images == [] and says in result.text
    assert result.marked_text == f"Error: {result.text}"


@pytest.mark.parametrize("arguments", ["", " ", None, {"recursive": None}])
def test_no_arguments_are_none_and_null_is_not_given(s: Session, arguments: object) -> None:
    result = tool_result(s, "dir_list", arguments)
    assert not result.is_error and result.marked_text == result.text


def test_what_no_other_call_mends_is_raised(ty: Toolyard) -> None:
    ended = ty.sessions.create()
    ended.delete()
    with pytest.raises(SessionNotFound):
        tool_result(ended, "dir_list")
    with pytest.raises(Unauthenticated):
        failure_of(Unauthenticated(401, {"code": "unauthenticated"}))


def test_a_limit_is_told_to_the_model_which_can_wait() -> None:
    told = failure_of(RateLimited(429, {"code": "rate_limited", "detail": "too many calls", "hint": "wait a minute"}))
    assert (told.text, told.is_error) == ("too many calls (wait a minute)", True)


def test_what_is_raised_has_the_results_of_the_calls_before_it(ty: Toolyard, drawn: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    given = [READ, {"file_path": "end"}, WRONG]

    def call(self: Session, tool: str, arguments: Any, **options: Any) -> ToolResult:
        if arguments["file_path"] == "end":
            raise ConnectionFailed("the connection failed")
        return real(self, tool, arguments, **options)

    real = Session.call
    monkeypatch.setattr(Session, "call", call)
    claude = [{"type": "tool_use", "id": f"t{at}", "name": "image_read", "input": each} for at, each in enumerate(given)]
    items = [{"type": "function_call", "call_id": f"t{at}", "name": "image_read", "arguments": json.dumps(each)} for at, each in enumerate(given)]
    calls = [{"id": f"t{at}", "function": {"name": "image_read", "arguments": json.dumps(each)}} for at, each in enumerate(given)]
    functions = [{"id": f"t{at}", "name": "image_read", "args": each} for at, each in enumerate(given)]
    kinds = [
        (lambda: adapters.anthropic_results(drawn, claude), "tool_use_id"),
        (lambda: adapters.openai_responses_results(drawn, items), "call_id"),
        (lambda: adapters.openai_chat_results(drawn, {"tool_calls": calls}), "tool_call_id"),
        (lambda: [part["function_response"] for part in adapters.gemini_results(drawn, functions)], "id"),
    ]
    for make, name in kinds:
        with pytest.raises(ConnectionFailed) as raised:
            make()  # type: ignore[no-untyped-call]
        first, *pictures = raised.value.results
        assert first.get("function_response", first)[name] == "t0"
        # In Chat Completions the pictures are a message of their own.
        assert [one["role"] for one in pictures] == (["user"] if name == "tool_call_id" else [])


def test_a_result_says_what_the_server_says_besides() -> None:
    answer: Any = {"call_id": "c", "tool": "t", "state": "pending", "text": "half", "data": {"notes": ["half", "a new sandbox"]}}
    answer["next"] = {"tool": "call_wait", "args": {"id": "c"}}
    assert result_of(ToolResult(answer)).text == (
        'half\na new sandbox\nThe work goes on: call call_wait with {"id": "c"} to wait for it.'
    )
    failed = failure_of(ToolFailed("t", "c", "failed", {"message": "no", "data": {"notes": ["why"]}}))
    assert (failed.text, failed.is_error) == ("no\nwhy", True)


def test_what_is_no_call_has_no_results(s: Session) -> None:
    assert adapters.anthropic_results(s, [{"type": "text", "text": "done"}]) == []
    assert adapters.openai_responses_results(s, [{"type": "message"}]) == []
    assert adapters.openai_chat_results(s, {"role": "assistant", "content": "done"}) == []
    assert adapters.gemini_results(s, None) == []


def test_claude_gets_pictures_and_errors_under_the_ids_of_its_calls(drawn: Session) -> None:
    blocks = [{"type": "tool_use", "id": f"t{at}", "name": "image_read", "input": given} for at, given in enumerate([READ, WRONG])]
    # What a package answers are objects of its own.
    for content in (blocks, [SimpleNamespace(**block) for block in blocks]):
        good, bad = adapters.anthropic_results(drawn, content)
        assert (good["tool_use_id"], good["is_error"], bad["tool_use_id"], bad["is_error"]) == ("t0", False, "t1", True)
        text, image = cast(List[Any], good["content"])
        assert "4 by 2" in text["text"]
        assert (image["source"]["type"], image["source"]["media_type"]) == ("base64", "image/png")
        assert image["source"]["data"].startswith("iVBOR")
    (silent,) = adapters.anthropic_results(drawn, [{"type": "tool_use", "id": "t", "name": "execute_shell", "input": {"command": "true"}}])
    assert all(part["text"] for part in cast(List[Any], silent["content"]))


def test_openai_gets_pictures_in_responses(drawn: Session) -> None:
    items = [
        {"type": "reasoning"},
        {"type": "function_call", "call_id": "c0", "name": "image_read", "arguments": json.dumps(READ)},
        {"type": "function_call", "call_id": "c1", "name": "image_read", "arguments": json.dumps(WRONG)},
    ]
    good, bad = adapters.openai_responses_results(drawn, items)
    assert (good["call_id"], bad["call_id"]) == ("c0", "c1")
    _, image = cast(List[Any], good["output"])
    assert image["type"] == "input_image" and image["image_url"].startswith("data:image/png;base64,iVBOR")
    assert cast(List[Any], bad["output"])[0]["text"].startswith("Error: ")


def test_openai_gets_pictures_in_chat_behind_the_messages_of_all_tools(drawn: Session) -> None:
    calls = [
        SimpleNamespace(id="c0", type="function", function=SimpleNamespace(name="image_read", arguments=json.dumps(READ))),
        SimpleNamespace(id="c1", type="function", function=SimpleNamespace(name="image_read", arguments=json.dumps(WRONG))),
        SimpleNamespace(id="c2", type="custom", custom=SimpleNamespace(name="other")),
    ]
    good, bad, shown = cast(List[Any], adapters.openai_chat_results(drawn, SimpleNamespace(tool_calls=calls)))
    assert [one["role"] for one in (good, bad, shown)] == ["tool", "tool", "user"]
    assert (good["tool_call_id"], bad["tool_call_id"]) == ("c0", "c1") and bad["content"].startswith("Error: ")
    assert "code_run/a.png" in shown["content"][0]["text"]
    assert shown["content"][1]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


def test_gemini_gets_pictures_as_bytes_in_the_response_of_the_function(drawn: Session) -> None:
    calls = [SimpleNamespace(id="c0", name="image_read", args=READ), SimpleNamespace(id=None, name="image_read", args=WRONG)]
    good, bad = (one["function_response"] for one in adapters.gemini_results(drawn, calls))
    assert good["id"] == "c0" and "output" in good["response"]
    assert good["parts"][0]["inline_data"]["data"].startswith(b"\x89PNG")
    assert "id" not in bad and "parts" not in bad and "none.txt" in str(bad["response"]["error"])


def test_langchain_gets_content_of_messages(drawn: Session) -> None:
    text, image = cast(List[Any], adapters.langchain_call(drawn, "image_read")(**READ))
    assert text["type"] == "text" and image["type"] == "image" and image["mime_type"] == "image/png"
    (failed,) = cast(List[Any], adapters.langchain_call(drawn, "image_read")(**WRONG))
    assert failed["text"].startswith("Error: ")


def test_smolagents_gets_texts_and_pictures_of_the_step(ty: Toolyard, drawn: Session) -> None:
    pictures: List[Image] = []
    (definition,) = ty.tools.definitions("mcp", names=["image_read"])
    attributes = adapters.smolagents_tool(drawn, definition, pictures)
    assert attributes["inputs"]["file_path"]["type"] == "string" and attributes["inputs"]["file_path"]["nullable"] is False
    tool = type("SessionTool", (), attributes)()
    assert isinstance(tool.forward(**READ), str) and [picture.mime_type for picture in pictures] == ["image/png"]
    assert tool.forward(**WRONG).startswith("Error: ") and len(pictures) == 1
    # Any name may be that of an argument.
    assert "unknown parameter: tool" in tool.forward(**READ, tool="x")


def test_calls_are_made_in_their_order_with_await_too(base_url: str) -> None:
    async def ordered() -> List[Any]:
        async with AsyncToolyard(base_url) as ty, ty.sessions.create() as s:
            calls = [
                {"type": "tool_use", "id": "t0", "name": "file_write", "input": {"file_path": "code_run/a.sh", "content": "echo ran"}},
                {"type": "tool_use", "id": "t1", "name": "execute_shell", "input": {"command": "sh a.sh"}},
            ]
            results = await aio.anthropic_results(s, calls)
            content = await aio.langchain_call(s, "execute_shell")(command="echo again")
            assert isinstance(await aio.tool_result(s, "dir_list"), ModelResult)
            return [*cast(List[Any], results), content]

    _, ran, again = asyncio.run(ordered())
    assert not ran["is_error"] and "ran" in ran["content"][0]["text"] and "again" in again[0]["text"]

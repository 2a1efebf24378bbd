"""Result of a call for a model, and its form at each provider."""

from __future__ import annotations

import base64
import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Awaitable, Callable, Dict, Generator, List, Literal, Mapping, Optional, Sequence, TypedDict, Union, cast

from ._errors import ApiError, ToolFailed, ToolyardError
from ._results import Image, ToolResult

_MENDABLE = frozenset(("invalid_input", "not_found", "forbidden", "conflict", "limit_exceeded", "rate_limited"))
"""Codes of problems that a model can mend by another call, or by a later one. All others, such as a key that is not good, end its run."""


def _no_images() -> List[Image]:
    return []


@dataclass(frozen=True)
class ModelResult:
    """Result of a call as a model gets it, before it has the form of a provider."""

    text: str
    images: List[Image] = field(default_factory=_no_images)
    is_error: bool = False
    """Whether the tool could not do it, or was refused; `text` says why, and what to do."""

    @property
    def marked_text(self) -> str:
        """The text, which begins with `Error:` where it is an error: for APIs that have no mark for errors."""
        return f"Error: {self.text}" if self.is_error else self.text


def result_of(result: ToolResult) -> ModelResult:
    """Result of a call that was made."""
    following = result.raw.get("next")
    more = f"\nThe work goes on: call {following['tool']} with {json.dumps(following['args'])} to wait for it." if following else ""
    return ModelResult(_with_notes(result.text, result.data) + more, result.images)


def failure_of(error: Union[ToolFailed, ApiError]) -> ModelResult:
    """Result that tells a model of a failure. Raises the error where no other call of the model mends it."""
    if isinstance(error, ToolFailed):
        return ModelResult(_with_notes(error.message, error.data), is_error=True)
    if error.code not in _MENDABLE:
        raise error
    return ModelResult(str(error), is_error=True)


@contextmanager
def with_results(results: Callable[[], Sequence[object]]) -> Generator[None, None, None]:
    """Gives an error that is raised the results so far: whoever goes on need not make those calls again."""
    try:
        yield
    except ToolyardError as error:
        error.results = results()
        raise


NO_OBJECT = ModelResult("the arguments are no JSON object; send the call again with one", is_error=True)
"""Result of a call whose arguments cannot be sent."""


def arguments_of(given: object) -> Optional[Mapping[str, object]]:
    """Arguments as a provider gives them, an object or its JSON; None where they are neither."""
    if isinstance(given, str):
        # Some models send nothing at all for a tool without arguments.
        if not given.strip():
            return {}
        try:
            given = cast(object, json.loads(given))
        except ValueError:
            return None
    elif given is None:
        return {}
    return cast(Mapping[str, object], given) if isinstance(given, Mapping) else None


def _with_notes(text: str, data: Mapping[str, object]) -> str:
    """A text with what the server says besides, such as that the sandbox is a new one."""
    notes = data.get("notes")
    listed = [str(note) for note in cast(List[object], notes)] if isinstance(notes, list) else []
    return "\n".join([text, *(note for note in listed if note not in text)])


def part(of: object, name: str) -> object:
    """A field of what a provider's package answers: an object of its own, or plain JSON. None where it has none."""
    if isinstance(of, Mapping):
        return cast(Mapping[str, object], of).get(name)
    return cast(object, getattr(of, name, None))


def text_part(of: object, name: str) -> str:
    """A field that is a text; empty where there is none."""
    value = part(of, name)
    return value if isinstance(value, str) else ""


def _base64(image: Image) -> str:
    return base64.b64encode(image.data).decode()


def _data_url(image: Image) -> str:
    return f"data:{image.mime_type};base64,{_base64(image)}"


class AnthropicSource(TypedDict):
    type: Literal["base64"]
    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: str


class AnthropicText(TypedDict):
    type: Literal["text"]
    text: str


class AnthropicImage(TypedDict):
    type: Literal["image"]
    source: AnthropicSource


class AnthropicToolResult(TypedDict):
    """Block that answers a `tool_use`, as the Messages API takes it."""

    type: Literal["tool_result"]
    tool_use_id: str
    is_error: bool
    content: List[Union[AnthropicText, AnthropicImage]]


def anthropic_tool_result(call_id: str, result: ModelResult) -> AnthropicToolResult:
    # A text without characters is refused.
    content: List[Union[AnthropicText, AnthropicImage]] = [{"type": "text", "text": result.text or "(no output)"}]
    for image in result.images:
        source = cast(AnthropicSource, {"type": "base64", "media_type": image.mime_type, "data": _base64(image)})
        content.append({"type": "image", "source": source})
    return {"type": "tool_result", "tool_use_id": call_id, "is_error": result.is_error, "content": content}


class OpenAIText(TypedDict):
    type: Literal["input_text"]
    text: str


class OpenAIImage(TypedDict):
    type: Literal["input_image"]
    image_url: str
    detail: Literal["auto"]


class OpenAICallOutput(TypedDict):
    """Item that answers a `function_call`, as the Responses API takes it."""

    type: Literal["function_call_output"]
    call_id: str
    output: List[Union[OpenAIText, OpenAIImage]]


def openai_call_output(call_id: str, result: ModelResult) -> OpenAICallOutput:
    output: List[Union[OpenAIText, OpenAIImage]] = [{"type": "input_text", "text": result.marked_text}]
    for image in result.images:
        output.append({"type": "input_image", "image_url": _data_url(image), "detail": "auto"})
    return {"type": "function_call_output", "call_id": call_id, "output": output}


class ChatToolMessage(TypedDict):
    """Message that answers a call, as Chat Completions takes it: text alone."""

    role: Literal["tool"]
    tool_call_id: str
    content: str


class ChatText(TypedDict):
    type: Literal["text"]
    text: str


class ChatImageUrl(TypedDict):
    url: str


class ChatImage(TypedDict):
    type: Literal["image_url"]
    image_url: ChatImageUrl


class ChatUserMessage(TypedDict):
    """Message that shows the pictures of the calls before it."""

    role: Literal["user"]
    content: List[Union[ChatText, ChatImage]]


ChatPart = Union[ChatText, ChatImage]
ChatResult = Union[ChatToolMessage, ChatUserMessage]


def chat_pictures(call: str, result: ModelResult) -> List[ChatPart]:
    """Parts of a user's message that show the pictures of a call, of which `call` is the name with the arguments."""
    parts: List[ChatPart] = []
    for image in result.images:
        parts.append({"type": "text", "text": f"The picture of {call}:"})
        parts.append({"type": "image_url", "image_url": {"url": _data_url(image)}})
    return parts


class GeminiBlob(TypedDict):
    mime_type: str
    data: bytes


class GeminiImage(TypedDict):
    inline_data: GeminiBlob


class GeminiFunctionResponse(TypedDict, total=False):
    id: str
    name: str
    response: Dict[str, object]
    parts: List[GeminiImage]


class GeminiPart(TypedDict):
    """Part that answers a call, as `google-genai` takes it: names in Python's manner, and pictures as bytes."""

    function_response: GeminiFunctionResponse


def gemini_part(call_id: Optional[str], name: str, result: ModelResult) -> GeminiPart:
    response: Dict[str, object] = {"error" if result.is_error else "output": result.text}
    answer: GeminiFunctionResponse = {"name": name, "response": response}
    if call_id:
        answer["id"] = call_id
    if result.images:
        answer["parts"] = [{"inline_data": {"mime_type": image.mime_type, "data": image.data}} for image in result.images]
    return {"function_response": answer}


class LangChainText(TypedDict):
    type: Literal["text"]
    text: str


class LangChainImage(TypedDict):
    type: Literal["image"]
    mime_type: str
    base64: str


LangChainContent = List[Union[LangChainText, LangChainImage]]
"""Content of a message of LangChain."""
LangChainCall = Callable[..., LangChainContent]
AsyncLangChainCall = Callable[..., Awaitable[LangChainContent]]


def langchain_content(result: ModelResult) -> LangChainContent:
    content: LangChainContent = [{"type": "text", "text": result.marked_text}]
    for image in result.images:
        content.append({"type": "image", "mime_type": image.mime_type, "base64": _base64(image)})
    return content

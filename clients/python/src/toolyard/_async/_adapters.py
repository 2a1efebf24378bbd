"""Calls of models: from the answer of a model to what it gets next."""

from __future__ import annotations

from typing import Iterable, List, Optional, cast

from .. import _model_results as forms
from .._errors import ApiError, ToolFailed
from ._session import AsyncSession


async def tool_result(
    session: AsyncSession,
    name: str,
    arguments: object = None,
    *,
    agent: Optional[str] = None,
    max_tokens: Optional[int] = None,
    timeout: Optional[float] = None,
) -> forms.ModelResult:
    """Calls a tool for a model: a failure of the tool, and a refused call, are results that say so.

    `arguments` are an object, or its JSON. Raises ApiError for what no other call mends, such as a key that is not good or a session
    that is not there, and ConnectionFailed. Where several calls are made, the error has `results` of those before it.
    """
    given = forms.arguments_of(arguments)
    if given is None:
        return forms.NO_OBJECT
    try:
        return forms.result_of(await session.call(name, given, agent=agent, max_tokens=max_tokens, timeout=timeout))
    except (ToolFailed, ApiError) as error:
        return forms.failure_of(error)


async def anthropic_results(
    session: AsyncSession,
    content: Iterable[object],
    *,
    agent: Optional[str] = None,
    max_tokens: Optional[int] = None,
    timeout: Optional[float] = None,
) -> List[forms.AnthropicToolResult]:
    """Makes the calls of a message of Claude, in their order, and gives the content of the user's message that comes next.

    Empty where the message has no calls: then the agent is done. Raises as `tool_result`.
    """
    results: List[forms.AnthropicToolResult] = []
    with forms.with_results(lambda: results):
        for block in content:
            if forms.part(block, "type") != "tool_use":
                continue
            name, given = forms.text_part(block, "name"), forms.part(block, "input")
            result = await tool_result(session, name, given, agent=agent, max_tokens=max_tokens, timeout=timeout)
            results.append(forms.anthropic_tool_result(forms.text_part(block, "id"), result))
    return results


async def openai_responses_results(
    session: AsyncSession,
    output: Iterable[object],
    *,
    agent: Optional[str] = None,
    max_tokens: Optional[int] = None,
    timeout: Optional[float] = None,
) -> List[forms.OpenAICallOutput]:
    """Makes the calls of a response, in their order, and gives the items that the next request has as its input besides.

    Empty where the response has no calls: then the agent is done. Raises as `tool_result`.
    """
    results: List[forms.OpenAICallOutput] = []
    with forms.with_results(lambda: results):
        for item in output:
            if forms.part(item, "type") != "function_call":
                continue
            name, given = forms.text_part(item, "name"), forms.part(item, "arguments")
            result = await tool_result(session, name, given, agent=agent, max_tokens=max_tokens, timeout=timeout)
            results.append(forms.openai_call_output(forms.text_part(item, "call_id"), result))
    return results


async def openai_chat_results(
    session: AsyncSession,
    message: object,
    *,
    agent: Optional[str] = None,
    max_tokens: Optional[int] = None,
    timeout: Optional[float] = None,
) -> List[forms.ChatResult]:
    """Makes the calls of a message of Chat Completions, in their order, and gives the messages that come next.

    Messages of tools take text alone: a message of the user's shows the pictures of all of them, behind the last one. Empty where the
    message has no calls: then the agent is done. Raises as `tool_result`.
    """
    results: List[forms.ChatResult] = []
    shown: List[forms.ChatPart] = []

    def answered() -> List[forms.ChatResult]:
        return [*results, {"role": "user", "content": shown}] if shown else results

    with forms.with_results(answered):
        for call in cast(Iterable[object], forms.part(message, "tool_calls") or ()):
            called = forms.part(call, "function")
            if called is None:
                continue
            name, given = forms.text_part(called, "name"), forms.part(called, "arguments")
            result = await tool_result(session, name, given, agent=agent, max_tokens=max_tokens, timeout=timeout)
            results.append({"role": "tool", "tool_call_id": forms.text_part(call, "id"), "content": result.marked_text})
            shown += forms.chat_pictures(f"{name} {given}", result)
    return answered()


async def gemini_results(
    session: AsyncSession,
    function_calls: Optional[Iterable[object]],
    *,
    agent: Optional[str] = None,
    max_tokens: Optional[int] = None,
    timeout: Optional[float] = None,
) -> List[forms.GeminiPart]:
    """Makes the calls of an answer of Gemini, in their order, and gives the parts of the user's content that comes next.

    Pictures stand in the response of the function, as Gemini 3 and later take them. Empty where the answer has no calls: then the
    agent is done. Raises as `tool_result`.
    """
    parts: List[forms.GeminiPart] = []
    with forms.with_results(lambda: parts):
        for call in function_calls or ():
            name, given = forms.text_part(call, "name"), forms.part(call, "args")
            result = await tool_result(session, name, given, agent=agent, max_tokens=max_tokens, timeout=timeout)
            parts.append(forms.gemini_part(forms.text_part(call, "id"), name, result))
    return parts


def langchain_call(
    session: AsyncSession,
    name: str,
    *,
    agent: Optional[str] = None,
    max_tokens: Optional[int] = None,
    timeout: Optional[float] = None,
) -> forms.AsyncLangChainCall:
    """A function that calls a tool and gives LangChain the content of a message: a StructuredTool takes it. It raises as `tool_result`."""

    async def call(**arguments: object) -> forms.LangChainContent:
        result = await tool_result(session, name, arguments, agent=agent, max_tokens=max_tokens, timeout=timeout)
        return forms.langchain_content(result)

    return call

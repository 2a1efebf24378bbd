"""Results of tools for models: of OpenAI, Anthropic and Gemini, and of frameworks. `toolyard.adapters.aio` has the same with `await`.

Definitions of tools come from `ty.tools.definitions`. No provider's package is needed: what they answer is taken as their own
objects or as plain JSON.
"""

from .._model_results import AnthropicToolResult, ChatResult, GeminiPart, ModelResult, OpenAICallOutput
from .._sync._adapters import (
    anthropic_results,
    gemini_results,
    langchain_call,
    openai_chat_results,
    openai_responses_results,
    tool_result,
)
from ._smolagents import smolagents_tool

__all__ = [
    "AnthropicToolResult",
    "ChatResult",
    "GeminiPart",
    "ModelResult",
    "OpenAICallOutput",
    "anthropic_results",
    "gemini_results",
    "langchain_call",
    "openai_chat_results",
    "openai_responses_results",
    "smolagents_tool",
    "tool_result",
]

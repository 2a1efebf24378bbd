"""`toolyard.adapters` with `await`, for an AsyncSession."""

from .._async._adapters import (
    anthropic_results,
    gemini_results,
    langchain_call,
    openai_chat_results,
    openai_responses_results,
    tool_result,
)

__all__ = [
    "anthropic_results",
    "gemini_results",
    "langchain_call",
    "openai_chat_results",
    "openai_responses_results",
    "tool_result",
]

"""Functions of the caller that are told of output and progress."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Optional, TypeVar

Value = TypeVar("Value")
Told = Optional[Callable[[Value], Any]]


def tell(callback: Told[Value], value: Value) -> None:
    """Tells a function, if there is one."""
    if callback is not None:
        callback(value)


async def tell_async(callback: Told[Value], value: Value) -> None:
    """Tells a function, or a coroutine function, if there is one."""
    if callback is not None:
        answer = callback(value)
        if inspect.isawaitable(answer):
            await answer

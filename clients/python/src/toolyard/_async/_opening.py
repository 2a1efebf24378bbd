"""Sessions that are on their way."""

from __future__ import annotations

from types import TracebackType
from typing import Any, AsyncContextManager, Coroutine, Generator, Generic, Optional, Type, TypeVar

Opened = TypeVar("Opened", bound=AsyncContextManager[Any])


class Opening(Generic[Opened]):
    """Something that `await` gives, and that `async with` gives and ends."""

    def __init__(self, coming: Coroutine[Any, Any, Opened]) -> None:
        self._coming = coming
        self._opened: Optional[Opened] = None

    def __await__(self) -> Generator[Any, None, Opened]:
        return self._coming.__await__()

    async def __aenter__(self) -> Opened:
        self._opened = await self._coming
        await self._opened.__aenter__()
        return self._opened

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        if self._opened is not None:
            await self._opened.__aexit__(kind, error, trace)

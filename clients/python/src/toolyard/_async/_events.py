"""Server-sent events that go on where a connection was cut."""

from __future__ import annotations

import json
import time
from typing import AsyncGenerator, AsyncIterator, Callable, Generic, Mapping, Optional, TypeVar

import anyio
import httpx

from .._errors import ConnectionFailed, TimedOut, ToolyardError
from .._sse import EventDecoder, ServerEvent
from ._transport import AsyncTransport, Query, Request

Event = TypeVar("Event")

SILENCE_SECONDS = 60.0
"""A stream has a comment at least every 20 seconds: one that is silent for longer is dead."""
COMMENT_SECONDS = 20.0
"""Seconds after which a stream that lives has sent a comment at the latest."""
DEADLINE_SLACK_SECONDS = 5.0
"""Seconds that a stream may be late at its deadline: then its connection is opened anew, with less time for a read."""
LASTED_SECONDS = 10.0
"""A connection that was closed after so long was no failure, whatever came by it."""


class AsyncStream(Generic[Event]):
    """Events, one by one. Close it, or use it as a context manager, if you do not read it to its end."""

    def __init__(self, events: AsyncGenerator[Event, None]) -> None:
        self._events = events

    def __aiter__(self) -> AsyncIterator[Event]:
        return self

    async def __anext__(self) -> Event:
        return await self._events.__anext__()

    async def aclose(self) -> None:
        await self._events.aclose()

    async def __aenter__(self) -> AsyncStream[Event]:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


async def server_events(
    transport: AsyncTransport,
    first: Request,
    again: Callable[[ServerEvent], Optional[str]],
    is_last: Callable[[ServerEvent], bool],
    query: Optional[Query] = None,
    headers: Optional[Mapping[str, str]] = None,
) -> AsyncGenerator[ServerEvent, None]:
    """Events of a request, and where it is cut those behind the last id.

    `again` has the path of the stream as soon as an event tells it; until then the first request is sent again, which has
    its Idempotency-Key. `is_last` tells the event behind which nothing comes. Raises TimedOut at the deadline of the first request.
    """
    request, path = first, None
    last_id: Optional[str] = None
    failures, began = 0, 0.0
    while True:
        decoder = EventDecoder()
        began_behind, was_silent, is_short = last_id, False, False
        reads = min(SILENCE_SECONDS, request.left())
        try:
            async with transport.stream(request) as response:
                began = time.monotonic()
                if response.status_code == 204:
                    return
                async for piece in response.aiter_bytes():
                    for event in decoder.feed(piece):
                        path = path or again(event)
                        last_id = event.id or last_id
                        yield event
                        if is_last(event):
                            return
                    # Comments carry ids too: of a time at which nothing happened.
                    last_id = decoder.last_id or last_id
                    left = request.left()
                    # How long a read waits cannot be changed once it is open: near the end that is too long.
                    is_short = path is not None and left < min(COMMENT_SECONDS, reads - DEADLINE_SLACK_SECONDS)
                    if is_short or left == 0:
                        break
        except httpx.TransportError as error:
            reason = str(error) or type(error).__name__
            was_silent = isinstance(error, httpx.TimeoutException)
        except json.JSONDecodeError as error:
            raise ToolyardError("an event of the server is no JSON") from error
        else:
            reason = "the stream ended"
        if request.left() == 0:
            raise TimedOut("no answer came in time; what was begun goes on")
        gave = is_short or last_id != began_behind
        lasted = not was_silent and time.monotonic() - began > LASTED_SECONDS
        failures = 0 if gave or lasted or decoder.is_alive else failures + 1
        # A stream that gave something is begun again at once. One that lives and ends, as where a proxy cuts what is quiet, is
        # begun again for ever; one that says nothing at all, as often as a request.
        delay: Optional[float] = 0.0
        if failures > 1:
            delay = transport.retries.delay(failures - 1, None)
        elif failures == 0 and not gave and not lasted:
            delay = transport.retries.first_delay
        if delay is None:
            raise ConnectionFailed(f"the stream of events breaks off again and again ({reason})")
        await anyio.sleep(min(delay, request.left()))
        if path is not None:
            go_on = {"Accept": "text/event-stream", **({"Last-Event-ID": last_id} if last_id is not None else {})}
            request = Request("GET", path, query or {}, headers=go_on, timeout=SILENCE_SECONDS, deadline=first.deadline)

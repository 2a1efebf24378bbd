"""What a program can see of the client's requests: hooks, and the logger `toolyard`. Neither is shown a key."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Callable, Optional

import httpx

logger = logging.getLogger("toolyard")


@dataclass(frozen=True)
class RequestEvent:
    """A request that is about to be sent."""

    method: str
    path: str
    attempt: int
    """1 for the first."""
    idempotency_key: Optional[str]
    headers: httpx.Headers
    """Headers of the request but the key. A hook may set further ones, such as `traceparent`."""


@dataclass(frozen=True)
class ResponseEvent:
    """An answer whose head has come."""

    method: str
    path: str
    attempt: int
    status: int
    seconds: float
    request_id: Optional[str]


@dataclass(frozen=True)
class RetryEvent:
    """A request that is sent again after some seconds."""

    method: str
    path: str
    attempt: int
    """Number of the attempt that failed."""
    delay: float
    reason: str


@dataclass(frozen=True)
class Hooks:
    """Functions that are told of each request, each head of an answer, and each retry, such as for tracing."""

    on_request: Optional[Callable[[RequestEvent], object]] = None
    on_response: Optional[Callable[[ResponseEvent], object]] = None
    on_retry: Optional[Callable[[RetryEvent], object]] = None

    def request(self, event: RequestEvent) -> None:
        logger.debug("%s %s (attempt %d)", event.method, event.path, event.attempt)
        if self.on_request:
            self.on_request(event)

    def response(self, event: ResponseEvent) -> None:
        logger.debug("%s %s: %d in %.3f s", event.method, event.path, event.status, event.seconds)
        if self.on_response:
            self.on_response(event)

    def retry(self, event: RetryEvent) -> None:
        logger.info("%s %s again in %.1f s: %s", event.method, event.path, event.delay, event.reason)
        if self.on_retry:
            self.on_retry(event)

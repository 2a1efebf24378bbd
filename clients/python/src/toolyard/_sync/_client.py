# Made of _async/_client.py by making/make_sync.py; do not edit.
"""The client: a server, a key, and its sessions."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any, ContextManager, Dict, List, Literal, Mapping, Optional, Sequence, Type, Union, cast
from urllib.parse import quote

import httpx

from .. import types
from .._body import Body, Content
from .._hooks import Hooks
from .._retry import RetryPolicy
from .._routes import PathValues, method_and_path
from ._pages import Pages
from ._session import Session
from ._transport import Transport, Query, Request

Payload = Union[Mapping[str, Any], Sequence[Any], Content]
"""Body of a request: JSON, or what is sent as it is."""

DEFAULT_URL = "http://localhost:8001"
"""Where `npm start` serves."""


class Toolyard:
    """A Toolyard server with one key.

    `base_url` and `api_key` are by default TOOLYARD_BASE_URL and TOOLYARD_API_KEY of the environment; a server on your own
    machine needs no key. `timeout` is in seconds, of each attempt; calls of tools have longer. `http_client` is one of httpx that
    is used instead of an own, and that stays open.
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        retries: Optional[RetryPolicy] = None,
        hooks: Optional[Hooks] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._transport = Transport(
            base_url or os.environ.get("TOOLYARD_BASE_URL") or DEFAULT_URL,
            api_key or os.environ.get("TOOLYARD_API_KEY"),
            timeout,
            retries or RetryPolicy(max_retries),
            hooks or Hooks(),
            http_client,
        )
        self.sessions = Sessions(self._transport)
        self.tools = Tools(self._transport)

    @property
    def base_url(self) -> str:
        return self._transport.base_url

    def request(
        self,
        route: str,
        *,
        path: Optional[PathValues] = None,
        query: Optional[Query] = None,
        body: Optional[Payload] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Answer of any operation of the API, as JSON: `ty.request("GET /v1/keys/current")`; None of an empty one.

        `path` has the values of the names in the route, `body` is sent as JSON, or as it is where it is a text, bytes or a file.
        """
        request = _request(route, path, query, body, headers, timeout, idempotency_key)
        answer = self._transport.request(request)
        return answer.json() if answer.content else None

    def raw(
        self,
        route: str,
        *,
        path: Optional[PathValues] = None,
        query: Optional[Query] = None,
        body: Optional[Payload] = None,
        headers: Optional[Mapping[str, str]] = None,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> ContextManager[httpx.Response]:
        """Any operation whose answer is no JSON, or is read as it comes: `with` gives the response of httpx as its head has come."""
        return self._transport.stream(_request(route, path, query, body, headers, timeout, idempotency_key))

    def pages(
        self, route: str, *, path: Optional[PathValues] = None, query: Optional[Query] = None
    ) -> Pages[Dict[str, Any]]:
        """Any list of the API: `ty.pages("GET /v1/toolkits")`."""
        method, place = method_and_path(route, path)
        if method != "GET":
            raise ValueError(f'"{route}" is no list: lists are read by GET')
        return Pages(self._transport, place, query or {})

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def __enter__(self) -> Toolyard:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self.base_url!r})"


def _request(
    route: str,
    path: Optional[PathValues],
    query: Optional[Query],
    body: Optional[Payload],
    headers: Optional[Mapping[str, str]],
    timeout: Optional[float],
    idempotency_key: Optional[str],
) -> Request:
    method, place = method_and_path(route, path)
    request = Request(method, place, query or {}, timeout=timeout, idempotency_key=idempotency_key)
    if body is None or isinstance(body, (Mapping, list, tuple)):
        request.json = body
        request.headers = headers or {}
    else:
        request.body = Body(cast(Content, body))
        request.headers = {"Content-Type": "application/octet-stream", **(headers or {})}
    return request


class Sessions:
    """Sessions of the key's tenant."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        name: Optional[str] = None,
        *,
        keep: bool = False,
        if_exists: Literal["error", "return"] = "error",
        title: Optional[str] = None,
        labels: Optional[Mapping[str, str]] = None,
        files: Optional[Mapping[str, str]] = None,
        directories: Optional[Sequence[str]] = None,
        requirements: Optional[Sequence[str]] = None,
        internet: Union[bool, Sequence[str], None] = None,
        lifetime_seconds: Optional[int] = None,
        idle_lifetime_seconds: Optional[int] = None,
        idempotency_key: Optional[str] = None,
    ) -> Session:
        """Makes a session: `with` deletes it at the end unless `keep`.

        `files` are texts by path, `requirements` Python packages of each of its sandboxes. With `if_exists="return"` a session of
        that name comes as it is.
        """
        given: Dict[str, Any] = {
            "name": name,
            "title": title,
            "labels": None if labels is None else dict(labels),
            "files": None if files is None else [{"path": path, "text": text} for path, text in files.items()],
            "directories": None if directories is None else list(directories),
            "requirements": None if requirements is None else list(requirements),
            "internet": internet if internet is None or isinstance(internet, bool) else list(internet),
            "lifetime_seconds": lifetime_seconds,
            "idle_lifetime_seconds": idle_lifetime_seconds,
        }
        body = {key: value for key, value in given.items() if value is not None}
        query = {"if_exists": if_exists if if_exists == "return" else None}
        request = Request("POST", "/v1/sessions", query, json=body, idempotency_key=idempotency_key)
        return self._opened(request, keep)

    def _opened(self, request: Request, keep: bool) -> Session:
        answer = self._transport.request(request)
        return Session(self._transport, cast(types.Session, answer.json()), keep)

    def get(self, name: str) -> Session:
        """A session that is there. It is kept behind the end of `with`."""
        return self._opened(Request("GET", f"/v1/sessions/{quote(name, safe='')}"), True)

    def list(
        self, *, labels: Optional[Mapping[str, str]] = None, state: Optional[str] = None
    ) -> Pages[types.ListedSession]:
        """Sessions, newest first; with `labels` those that have all of them."""
        wanted = ",".join(f"{key}:{value}" for key, value in labels.items()) if labels else None
        return Pages(self._transport, "/v1/sessions", {"labels": wanted, "state": state})

    def delete(self, name: str) -> None:
        """Ends a session and removes all of it."""
        self._transport.request(Request("DELETE", f"/v1/sessions/{quote(name, safe='')}", timeout=300.0))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transport.base_url!r})"


class Tools:
    """Tools that calls can name."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(
        self, question: Optional[str] = None, *, toolkit: Optional[str] = None
    ) -> Pages[types.CallableTool]:
        """All tools, those of a toolkit, or those that fit a question in English or Chinese, the best first."""
        return Pages(self._transport, "/v1/tools", {"q": question, "toolkit": toolkit})

    def get(self, name: str) -> types.ToolDescription:
        """One tool with its schema and an example."""
        answer = self._transport.request(Request("GET", f"/v1/tools/{quote(name, safe='')}"))
        return cast(types.ToolDescription, answer.json())

    def definitions(
        self,
        format: Literal["openai", "openai_responses", "anthropic", "gemini", "mcp"],
        *,
        names: Optional[Sequence[str]] = None,
        toolkit: Optional[str] = None,
        question: Optional[str] = None,
        strict: bool = False,
    ) -> List[Dict[str, Any]]:
        """Definitions of tools as a provider of models takes them."""
        query = {
            "format": format,
            "names": ",".join(names) if names else None,
            "toolkit": toolkit,
            "q": question,
            "strict": True if strict else None,
        }
        return cast(List[Dict[str, Any]], Pages[Any](self._transport, "/v1/tools", query).all())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._transport.base_url!r})"

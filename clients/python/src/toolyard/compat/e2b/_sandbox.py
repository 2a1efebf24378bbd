"""The sandbox without `await`, which its class makes too, as in the first versions of E2B's packages: `Sandbox()`."""

from __future__ import annotations

from typing import Mapping, Optional

from ._sync import Sandbox as _Sandbox


class Sandbox(_Sandbox):
    """A session under E2B's names. `Sandbox()` makes one, as `Sandbox.create()` does; with a `sandbox_id` it is one that is there."""

    def __init__(
        self,
        template: Optional[str] = None,
        timeout: Optional[int] = None,
        metadata: Optional[Mapping[str, str]] = None,
        envs: Optional[Mapping[str, str]] = None,
        api_key: Optional[str] = None,
        *,
        sandbox_id: Optional[str] = None,
        base_url: Optional[str] = None,
        request_timeout: Optional[float] = None,
    ) -> None:
        if sandbox_id is None:
            made = _Sandbox.create(
                template, timeout, metadata, envs, api_key=api_key, base_url=base_url, request_timeout=request_timeout
            )
        else:
            made = _Sandbox.connect(
                sandbox_id, timeout, api_key=api_key, base_url=base_url, request_timeout=request_timeout
            )
        self._attach(made._client, made._session, made._envs)

"""Operations of the API by their method and path, as its document has them: `GET /v1/sessions/{session}`."""

from __future__ import annotations

import re
from typing import Mapping, Optional, Tuple, Union
from urllib.parse import quote

PathValues = Mapping[str, Union[str, int]]
"""Values of the names in a path."""


def method_and_path(route: str, values: Optional[PathValues] = None) -> Tuple[str, str]:
    """Method and path of a route with its names filled in. A slash in a value is sent as `%2F`.

    Raises ValueError for a route that is none, and for a value that would name another path.
    """
    method, _, path = route.partition(" ")
    if not method.isupper() or not path.startswith("/"):
        raise ValueError(f'"{route}" is no route: it is a method and a path, such as "GET /v1/keys/current"')

    def filled(name: re.Match[str]) -> str:
        value = str((values or {}).get(name[1], ""))
        # URLs resolve these two, encoded or not.
        if value in ("", ".", ".."):
            raise ValueError(f'"{value}" is no {name[1]}')
        return quote(value, safe="")

    return method, re.sub(r"\{(\w+)\}", filled, path)

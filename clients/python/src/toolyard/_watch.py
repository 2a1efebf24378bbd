"""Events of watched files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, cast

from . import types


@dataclass(frozen=True, repr=False)
class WatchEvent:
    """`watching`, `commit`, `reset` (list the files again) or `end` (the session was removed)."""

    name: str
    data: Dict[str, Any]

    @property
    def commit(self) -> Optional[int]:
        """Number of the commit."""
        return cast(Optional[int], self.data.get("commit"))

    @property
    def tool(self) -> Optional[str]:
        """Tool that made it; None of an upload and the like."""
        return cast(Optional[str], self.data.get("tool"))

    @property
    def changes(self) -> List[types.PathChange]:
        return cast(List[types.PathChange], self.data.get("changes", []))

    @property
    def paths(self) -> List[str]:
        return [change["path"] for change in self.changes]

    def __repr__(self) -> str:
        shown = ", ".join(f"{change['change']} {change['path']}" for change in self.changes[:5])
        return f"WatchEvent({self.name}, commit={self.commit}{', ' + shown if shown else ''})"

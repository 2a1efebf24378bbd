"""Lists and differences, as a person reads them."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, TypeVar, cast

from . import _display, types

Row = TypeVar("Row")


class Rows(List[Row]):
    """A list that notebooks show as a table."""

    def _repr_html_(self) -> str:
        return _display.table(cast(List[Mapping[str, Any]], list(self)))


class Diff:
    """What differs between two moments."""

    def __init__(self, from_commit: int, to_commit: int, changes: List[types.Difference]) -> None:
        self.from_commit = from_commit
        self.to_commit = to_commit
        self.changes = changes
        """Each file that differs, with hunks where it is text."""

    @property
    def paths(self) -> List[str]:
        return [change["path"] for change in self.changes]

    def lines(self) -> List[str]:
        """A unified diff for people. `patch` of a session is the one for programs."""
        return [line for change in self.changes for line in _lines_of(change)]

    def __bool__(self) -> bool:
        return bool(self.changes)

    def __len__(self) -> int:
        return len(self.changes)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        counts: Dict[str, int] = {}
        for change in self.changes:
            counts[change["change"]] = counts.get(change["change"], 0) + 1
        words = ", ".join(f"{count} {what}" for what, count in counts.items()) or "nothing differs"
        return f"Diff({self.from_commit} → {self.to_commit}: {words})"

    def _repr_html_(self) -> str:
        return _display.coloured_diff(self.lines()) if self.changes else "<p>nothing differs</p>"


def _lines_of(change: types.Difference) -> List[str]:
    path = change["path"]
    before = "/dev/null" if change["before"] is None else f"a/{path}"
    after = "/dev/null" if change["after"] is None else f"b/{path}"
    lines = [f"--- {before}", f"+++ {after}"]
    if change["omitted"] is not None:
        lines.append(f"# {change['omitted']}")
    for hunk in change["hunks"]:
        old, new = f"{hunk['old_start']},{hunk['old_lines']}", f"{hunk['new_start']},{hunk['new_lines']}"
        lines += [f"@@ -{old} +{new} @@", *hunk["lines"]]
    return lines

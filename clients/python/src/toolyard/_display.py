"""HTML for notebooks. What came from files and programs is escaped: it is text there, whatever it says."""

from __future__ import annotations

from html import escape
from typing import Any, Iterable, List, Mapping, Sequence

MAX_SHOWN_ROWS = 200
MAX_SHOWN_CHARS = 100_000
MAX_CELL_CHARS = 300


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as a table, with the columns of all of them."""
    shown = rows[:MAX_SHOWN_ROWS]
    columns: List[str] = list(dict.fromkeys(key for row in shown for key in row))
    head = "".join(f"<th>{escape(column)}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(row.get(column))}</td>' for column in columns)}</tr>" for row in shown)
    more = len(rows) - len(shown)
    left = f"<p>… and {more} more</p>" if more else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{left}"


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return escape(text if len(text) <= MAX_CELL_CHARS else text[:MAX_CELL_CHARS] + "…")


def preformatted(text: str, color: str = "inherit") -> str:
    """Text as it is, with its line breaks."""
    cut = text if len(text) <= MAX_SHOWN_CHARS else f"{text[:MAX_SHOWN_CHARS]}\n… {len(text) - MAX_SHOWN_CHARS} more"
    return f'<pre style="color:{color};white-space:pre-wrap">{escape(cut)}</pre>'


def framed(html: str) -> str:
    """HTML in a frame without scripts, apart from the page around it."""
    srcdoc = html.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe sandbox srcdoc="{srcdoc}" style="border:0;width:100%;min-height:20em"></iframe>'


def coloured_diff(lines: Iterable[str]) -> str:
    """A unified diff with its lines in colours."""
    parts: List[str] = []
    chars = 0
    for line in lines:
        chars += len(line)
        if chars > MAX_SHOWN_CHARS:
            parts.append("… cut")
            break
        parts.append(f'<span style="{_style(line)}">{escape(line)}</span>')
    return "<pre>" + "\n".join(parts) + "</pre>"


def _style(line: str) -> str:
    if line.startswith(("---", "+++", "diff ")):
        return "font-weight:bold"
    if line.startswith("@@"):
        return "color:#6f42c1"
    if line.startswith("+"):
        return "background:#e6ffec;color:#116329"
    if line.startswith("-"):
        return "background:#ffebe9;color:#82071e"
    return ""

"""How far a transfer has come, and a line that shows it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Optional, TextIO


@dataclass(frozen=True)
class Progress:
    """Bytes that were transferred, of how many."""

    done: int
    total: Optional[int]
    """None while nobody knows."""

    @property
    def fraction(self) -> Optional[float]:
        """From 0 to 1; None while nobody knows the total."""
        if self.total is None:
            return None
        return 1.0 if self.total == 0 else self.done / self.total

    def __str__(self) -> str:
        if self.total is None:
            return size_in_words(self.done)
        return f"{size_in_words(self.done)} of {size_in_words(self.total)} ({100 * (self.fraction or 0):.0f} %)"


class ProgressLine:
    """Shows progress in one line of a terminal; elsewhere, such as in a log, only its end."""

    def __init__(self, label: str = "", stream: Optional[TextIO] = None) -> None:
        self._label = f"{label}: " if label else ""
        self._stream = stream or sys.stderr

    def __call__(self, progress: Progress) -> None:
        ended = progress.done == progress.total
        if self._stream.isatty():
            self._stream.write(f"\r\x1b[K{self._label}{progress}" + ("\n" if ended else ""))
            self._stream.flush()
        elif ended:
            self._stream.write(f"{self._label}{progress}\n")


def size_in_words(size: int) -> str:
    """Size in the largest unit of which there is one, such as `1.5 MiB`."""
    amount = float(size)
    for unit in ("B", "KiB", "MiB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GiB"

"""When a request is sent again."""

from __future__ import annotations

import random
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from datetime import datetime, timezone
from typing import Mapping, Optional


@dataclass(frozen=True)
class RetryPolicy:
    """How often and how soon a request is sent again. All times are seconds."""

    max_retries: int = 2
    first_delay: float = 0.5
    longest_delay: float = 8.0
    longest_wait: float = 60.0
    """A `Retry-After` beyond this is not waited for: the error is raised at once."""

    def delay(self, retry: int, retry_after: Optional[float]) -> Optional[float]:
        """Seconds until the retry with this number, from 1; None when there is none."""
        if retry > self.max_retries:
            return None
        if retry_after is not None:
            return retry_after if retry_after <= self.longest_wait else None
        # Full delays at the same moment would meet again: up to a quarter is left to chance.
        longest = min(self.first_delay * 2 ** (retry - 1), self.longest_delay)
        return float(longest * random.uniform(0.75, 1.0))


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    """Seconds that `Retry-After` names, as a number or as a date; None without a good one."""
    value = headers.get("retry-after")
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        at = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return max(0.0, (at.astimezone(timezone.utc) - datetime.now(timezone.utc)).total_seconds())

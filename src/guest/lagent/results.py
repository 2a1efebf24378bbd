"""What an action answers. Source: Lagent's schema.py, as observed."""
from dataclasses import asdict, dataclass
from enum import IntEnum
from typing import Any, List, Optional


class ActionStatusCode(IntEnum):
    ING = 1
    SUCCESS = 0
    HTTP_ERROR = -1000
    ARGS_ERROR = -1001
    API_ERROR = -1002


class ActionValidCode(IntEnum):
    FINISH = 1
    OPEN = 0
    CLOSED = -1
    INVALID = -2
    ABSENT = -3


@dataclass
class ActionReturn:
    args: Optional[dict] = None
    url: Optional[str] = None
    type: Optional[str] = None
    result: Optional[List[dict]] = None
    errmsg: Optional[str] = None
    state: Any = ActionStatusCode.SUCCESS
    thought: Optional[str] = None
    valid: Any = ActionValidCode.OPEN

    def format_result(self):
        return '\n'.join(item['content'] if item['type'] == 'text' else '[%s](%s)' % (item['type'], item['content'])
                         for item in self.result or [])


@dataclass
class FunctionCall:
    name: str
    parameters: Any


def dataclass2dict(data):
    return asdict(data, dict_factory=lambda items: {key: value.value if isinstance(value, IntEnum) else value for key, value in items})

"""Values as JSON, in the forms in which calls take and return them."""
import enum
import json

from ..settings import MAX_PYTHON_RESULT_BYTES
from .errors import kind

loop = None


def settled(value):
    global loop
    if not hasattr(type(value), '__await__'):
        return value
    import asyncio
    if loop is None:
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)

    async def awaited():
        return await value
    return loop.run_until_complete(awaited())


def returned(value):
    try:
        return '{"how": "returned", "value": %s}' % json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        text = str(value)[:MAX_PYTHON_RESULT_BYTES].encode('utf-8', 'replace').decode()
        return json.dumps({'how': 'returnedText', 'text': text, 'type': kind(value)}, ensure_ascii=False)


def from_json(value):
    """Decodes a value. Values that JSON lacks come as {"__tuple__": [...]}, {"__float__": "nan"} (also "1.0", which
    not everybody tells from 1) and {"__int__": "9007199254740993"}."""
    if isinstance(value, list):
        return [from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {'__tuple__'}:
        return tuple(map(from_json, value['__tuple__']))
    if set(value) == {'__int__'}:
        return int(value['__int__'])
    if set(value) == {'__float__'}:
        return float(value['__float__'])
    return {key: from_json(item) for key, item in value.items()}


def to_json(value):
    if hasattr(value, '__dataclass_fields__') and not isinstance(value, type):
        return {name: to_json(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, float) and (value != value or value in (float('inf'), float('-inf'))):
        return {'__float__': str(value)}
    if isinstance(value, tuple):
        return {'__tuple__': [to_json(item) for item in value]}
    if isinstance(value, list):
        return [to_json(item) for item in value]
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, int) and abs(value) >= 1 << 53:
        return {'__int__': str(value)}
    if isinstance(value, (str, int, float)) or value is None:
        return value
    return str(value)

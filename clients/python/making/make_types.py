"""Makes `types.py`, the TypedDicts of the client, of the API document.

Usage: python3 making/make_types.py [--check]
"""

from __future__ import annotations

import json
import sys
from keyword import iskeyword
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).resolve().parent.parent
DOCUMENT = CLIENT.parent.parent / "src" / "assets" / "openapi-v1.json"
MADE = CLIENT / "src" / "toolyard" / "types.py"

# Schemas that the client names; those that they refer to come along.
ROOTS = (
    "Call",
    "CallAnswer",
    "CallBatchAnswer",
    "CallPage",
    "CallableToolPage",
    "CommitPage",
    "CommitChanges",
    "Differences",
    "FilePage",
    "FileToolAnswer",
    "NewFileLink",
    "Problem",
    "RestoredFiles",
    "Session",
    "SessionPage",
    "SnapshotPage",
    "ToolDescription",
    "UnpackedArchive",
    "WrittenFile",
)

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


class Making:
    """Turns schemas into classes, each behind those that it refers to."""

    def __init__(self, schemas: dict[str, Any]) -> None:
        self.schemas = schemas
        self.made: dict[str, str] = {}
        self.under_way: set[str] = set()

    def reference(self, name: str) -> str:
        if name not in self.made and name not in self.under_way:
            self.under_way.add(name)
            self.made[name] = self.named(name, self.schemas[name])
        return name

    def named(self, name: str, schema: dict[str, Any]) -> str:
        if not schema.get("properties"):
            return f"{name} = {self.expression(name, schema)}\n"
        required = set(schema.get("required", []))
        # A class has no room for a field such as `from`; the dictionary has it all the same.
        fields = [(key, value) for key, value in schema["properties"].items() if key.isidentifier() and not iskeyword(key)]
        parts = [(key, self.expression(name + key.title().replace("_", ""), value)) for key, value in fields]
        firm = [f"    {key}: {kind}" for key, kind in parts if key in required]
        loose = [f"    {key}: {kind}" for key, kind in parts if key not in required]
        words = f'    """{words_of(schema, name)}"""\n'
        if not loose:
            return f"class {name}(TypedDict):\n{words}\n" + "\n".join(firm or ["    pass"]) + "\n"
        if not firm:
            return f"class {name}(TypedDict, total=False):\n{words}\n" + "\n".join(loose) + "\n"
        base = f"class _{name}(TypedDict):\n" + "\n".join(firm) + "\n\n\n"
        return base + f"class {name}(_{name}, total=False):\n{words}\n" + "\n".join(loose) + "\n"

    def expression(self, name: str, schema: dict[str, Any]) -> str:
        if "$ref" in schema:
            return self.reference(schema["$ref"].rsplit("/", 1)[1])
        if "const" in schema:
            return f"Literal[{literal(schema['const'])}]"
        if "enum" in schema:
            return f"Literal[{', '.join(map(literal, schema['enum']))}]"
        for word in ("anyOf", "oneOf"):
            if word in schema:
                return self.union(name, schema[word])
        kind = schema.get("type")
        if isinstance(kind, list):
            return self.union(name, [{**schema, "type": one} for one in kind])
        if kind == "array":
            return f"List[{self.expression(name + 'Item', schema.get('items', {}))}]"
        if kind == "object" and schema.get("properties"):
            self.made[name] = self.named(name, schema)
            return name
        if kind == "object":
            return f"Dict[str, {self.expression(name + 'Value', schema.get('additionalProperties') or {})}]"
        return SCALARS.get(str(kind), "Any")

    def union(self, name: str, schemas: list[dict[str, Any]]) -> str:
        kinds = list(dict.fromkeys(self.expression(f"{name}{at or ''}", one) for at, one in enumerate(schemas)))
        return kinds[0] if len(kinds) == 1 else f"Union[{', '.join(kinds)}]"


def literal(value: object) -> str:
    return json.dumps(value) if isinstance(value, str) else repr(value)


def words_of(schema: dict[str, Any], name: str) -> str:
    words = str(schema.get("description") or f"{name} of the API document.")
    return words.replace("\\", "\\\\").replace('"""', "'''")


def types() -> str:
    """Text of `types.py`."""
    making = Making(json.loads(DOCUMENT.read_text())["components"]["schemas"])
    for name in ROOTS:
        making.reference(name)
    body = "\n\n".join(making.made.values())
    words = [word for word in ("Any", "Dict", "List", "Literal", "TypedDict", "Union") if f"{word}" in body]
    return (
        '"""Answers of the API as TypedDicts. Made of the API document by making/make_types.py; do not edit."""\n\n'
        f"from typing import {', '.join(words)}\n\n\n{body}"
    )


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(0 if MADE.read_text() == types() else "types.py is not what `python3 making/make_types.py` makes")
    MADE.write_text(types())

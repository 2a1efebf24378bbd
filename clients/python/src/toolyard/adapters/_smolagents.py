"""A tool of a session as one of smolagents."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping

from .._results import Image
from .._sync._adapters import tool_result
from .._sync._session import Session


def smolagents_tool(session: Session, definition: Mapping[str, Any], pictures: List[Image]) -> Dict[str, Any]:
    """Attributes of a class below smolagents' Tool, of a definition in the form of MCP.

    Results of smolagents are texts: pictures go to the end of `pictures`, for a callback that shows them with the step. A call raises
    as `tool_result`.
    """
    schema: Mapping[str, Any] = definition["inputSchema"]
    name: str = definition["name"]

    def forward(tool: object, /, **arguments: object) -> str:
        result = tool_result(session, name, arguments)
        pictures.extend(result.images)
        return result.marked_text

    return {
        "name": name,
        "description": definition["description"],
        "inputs": {
            key: {
                # Alternatives have no type of their own.
                "type": part["type"] if isinstance(part.get("type"), str) else "any",
                "description": part.get("description", key),
                "nullable": key not in schema.get("required", []),
            }
            for key, part in schema.get("properties", {}).items()
        },
        "output_type": "string",
        "forward": forward,
        "skip_forward_signature_validation": True,
    }

"""An agent's side of Toolcore's API, in plain Python.

    python3 agent.py http://localhost:8001 examples/toolcore/tools.json

Registers the tools of a file, asks which of them an agent may call, and calls one. Prints {"status", "tools", "result"}.
"""

import json
import sys
import urllib.request

SECRET = "dev-secret-token"  # on a server with keys: an API key
AGENT = "agent:sofia"


def ask(url: str, value=None) -> dict:
    body = None if value is None else json.dumps(value).encode()
    headers = {"X-Internal-Secret": SECRET, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=600) as response:
        return json.load(response)


def call_tool(server: str, tool_id: str, agent_id: str, args: dict):
    """What the tool returned; None, with the reason on stderr, when it failed."""
    call = {"tool_id": tool_id, "agent_id": agent_id, "microdao_id": "microdao:7", "args": args}
    answer = ask(f"{server}/internal/tools/call", call)
    if not answer["ok"]:
        print(f"Tool failed: {answer['error']}", file=sys.stderr)
        return None
    return answer["result"]


def main(server: str, file: str) -> None:
    with open(file, encoding="utf-8") as tools:
        ask(f"{server}/v1/tools/import", json.load(tools))
    listed = ask(f"{server}/internal/tools?agent_id={AGENT}")["tools"]
    result = call_tool(server, "text.count", AGENT, {"text": "one two three"})
    print(json.dumps({"status": "success" if result else "failed", "tools": [tool["id"] for tool in listed], "result": result}))


if __name__ == "__main__":
    main(*sys.argv[1:3])

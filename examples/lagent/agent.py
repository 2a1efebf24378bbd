"""An agent's side of Lagent's actions over HTTP, in plain Python.

    python3 agent.py http://localhost:8001 IPythonInterpreter '("6 * 7",)'

Looks whether there is such an action, calls it with what a model would write, JSON or a tuple, and waits for what goes on. Prints
{"status", "output", "session"}.
"""

import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

ING, SUCCESS = 1, 0


class Actions:
    """A key, where one is needed, is part of the URL: http://host/k/<key>."""

    def __init__(self, url: str, session: str):
        self.url = url
        self.session = session

    def ask(self, path: str, value=None) -> dict:
        body = None if value is None else json.dumps(value).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + path, body), timeout=600) as response:
            return json.load(response)

    def descriptions(self, form: str = "lagent") -> list:
        """What a model is told: in Lagent's form, or as the `tools` of OpenAI ("openai") or Anthropic ("anthropic")."""
        return self.ask(f"/lagent/tools?format={form}")["tools"]

    def knows(self, name: str) -> bool:
        try:
            return bool(self.ask(f"/lagent/tools/{urllib.parse.quote(name, safe='')}"))
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
            return False

    def call(self, name: str, inputs) -> dict:
        """The ActionReturn of a call. While it goes on, its last item is the call that waits for it."""
        call = {"session": self.session, "name": name, "inputs": inputs}
        while True:
            answer = self.ask("/lagent/execute", call)
            if answer["state"] != ING:
                return answer
            call = json.loads(answer["result"][-1]["content"])
            time.sleep(call["retry_after_ms"] / 1000)


def text_of(answer: dict):
    """What the model reads next."""
    if answer["state"] != SUCCESS:
        return answer["errmsg"]
    return "\n".join(item["content"] for item in answer["result"])


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    url, name, inputs = sys.argv[1:]
    actions = Actions(url, f"lagent-{uuid.uuid4()}")
    if not actions.knows(name):
        names = ", ".join(action["name"] for action in actions.descriptions())
        sys.exit(f"there is no action {name}; there are {names}")
    answer = actions.call(name, inputs)
    status = "success" if answer["state"] == SUCCESS else "error"
    print(json.dumps({"status": status, "output": text_of(answer), "session": actions.session}, ensure_ascii=False))

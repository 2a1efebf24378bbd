"""A client of the Tool Server that knows nothing of Toolyard: it makes the calls that published clients make.

    python3 agent.py http://localhost:8001 agent_py file_write '{"file_path": "code_run/hello.py", "content": "print(1)"}'

Prints what the agent would be given: {"status", "output", "error_information"}.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request


class ToolServer:
    def __init__(self, base_url: str):
        self.base_url = base_url.rstrip("/")
        self.known_tasks = set()

    def execute(self, tool_name: str, params: dict, task_id: str) -> dict:
        """Runs one tool in the task, which is created when it does not exist."""
        self.ensure_task(task_id)
        body = json.dumps({"task_id": task_id, "tool_name": tool_name, "params": params}).encode()
        request = urllib.request.Request(
            f"{self.base_url}/api/tool/execute", body, {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                answer = json.load(response)
        except urllib.error.URLError as error:
            # An HTTP error says nothing to the agent but its status.
            return {"status": "error", "output": "", "error_information": f"the call failed: {error}"}
        if not answer.get("success"):
            return {"status": "error", "output": "", "error_information": answer.get("error")}
        output = json.dumps(answer.get("data", {}), indent=2, ensure_ascii=False)
        return {"status": "success", "output": output, "error_information": ""}

    def ensure_task(self, task_id: str) -> None:
        """Only the HTTP status counts: 200 means that the task is there."""
        if task_id in self.known_tasks:
            return
        path = urllib.parse.quote(task_id)  # slashes stay as they are
        if self.status(f"/api/task/{path}/status", timeout=5) != 200:
            query = urllib.parse.urlencode({"task_id": task_id, "task_name": f"AutoGen-{task_id}"})
            if self.status(f"/api/task/create?{query}", timeout=10, method="POST") != 200:
                return  # the call itself will say what is wrong
        self.known_tasks.add(task_id)

    def status(self, path: str, timeout: float, method: str = "GET") -> int:
        request = urllib.request.Request(self.base_url + path, method=method)
        try:
            with urllib.request.urlopen(request, timeout=timeout) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    base_url, task_id, tool_name, params = sys.argv[1:]
    result = ToolServer(base_url).execute(tool_name, json.loads(params), task_id)
    print(json.dumps(result, ensure_ascii=False))

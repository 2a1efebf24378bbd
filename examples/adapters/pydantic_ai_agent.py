import os
import sys

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset

base_url = os.environ.get("TOOLYARD_BASE_URL", "http://localhost:8001")
defaults = ["Draw a picture with Python, look at it, and say what you see.", "openai:gpt-5.5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]

# The address names the session; with a key: headers={"Authorization": f"Bearer {key}"}.
toolyard = MCPToolset(f"{base_url}/mcp/s/pydantic-ai")
agent = Agent(model, toolsets=[toolyard])
print(agent.run_sync(task).output)

import asyncio
import os
import sys

from agents import Agent, Runner, set_tracing_disabled
from agents.mcp import MCPServerStreamableHttp

base_url = os.environ.get("TOOLYARD_BASE_URL", "http://localhost:8001")
defaults = ["Draw a picture with Python, look at it, and say what you see.", "gpt-5.5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]
# Tracing sends each run to OpenAI.
set_tracing_disabled(True)


async def main():
    # The address names the session; with a key: "headers": {"Authorization": f"Bearer {key}"}.
    params = {"url": f"{base_url}/mcp/s/openai-agents-python"}
    async with MCPServerStreamableHttp(params, name="toolyard", client_session_timeout_seconds=300) as toolyard:
        agent = Agent(name="Painter", model=model, mcp_servers=[toolyard])
        print((await Runner.run(agent, task, max_turns=20)).final_output)


asyncio.run(main())

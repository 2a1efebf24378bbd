import asyncio
import base64
import sys

from langchain.agents import create_agent
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI
from toolyard import AsyncToolyard, InvalidInput, LimitExceeded, NotFound, ToolFailed

defaults = ["Draw a picture with Python, look at it, and say what you see.", "gpt-5.5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]


def tool_of(session, definition):
    """A tool of a session as one of LangChain. What it could not do comes to the model as the result of the call."""

    async def call(**arguments):
        try:
            result = await session.tool(definition["name"], arguments)
        except (ToolFailed, InvalidInput, NotFound, LimitExceeded) as failed:
            return f"Error: {failed}"
        pictures = [(image.mime_type, base64.b64encode(image.data).decode()) for image in result.images]
        shown = [{"type": "image", "mime_type": kind, "base64": data} for kind, data in pictures]
        return [{"type": "text", "text": result.text}, *shown]

    named = {"name": definition["name"], "description": definition["description"]}
    return StructuredTool(**named, args_schema=definition["inputSchema"], coroutine=call)


async def main():
    async with AsyncToolyard() as ty, ty.sessions.create() as s:
        definitions = await ty.tools.definitions("mcp", names=["file_write", "execute_shell", "image_read"])
        tools = [tool_of(s, definition) for definition in definitions]
        # Of OpenAI's APIs only that of responses takes a picture as the result of a tool.
        agent = create_agent(ChatOpenAI(model=model, use_responses_api=True), tools)
        answer = await agent.ainvoke({"messages": [("user", task)]}, {"recursion_limit": 40})
        print(answer["messages"][-1].text)


asyncio.run(main())

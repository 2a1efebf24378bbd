import sys

from langchain.agents import create_agent
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI
from toolyard import Toolyard
from toolyard.adapters import langchain_call

defaults = ["Draw a picture with Python, look at it, and say what you see.", "gpt-5.5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]

with Toolyard() as ty, ty.sessions.create() as s:
    definitions = ty.tools.definitions("mcp", names=["file_write", "execute_shell", "image_read"])
    tools = [
        StructuredTool(name=name, description=says, args_schema=schema, func=langchain_call(s, name))
        for name, says, schema in ((one["name"], one["description"], one["inputSchema"]) for one in definitions)
    ]
    # Of OpenAI's APIs only that of responses takes a picture as the result of a tool.
    agent = create_agent(ChatOpenAI(model=model, use_responses_api=True), tools)
    answer = agent.invoke({"messages": [("user", task)]}, {"recursion_limit": 40})
    print(answer["messages"][-1].text)

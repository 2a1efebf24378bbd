import io
import sys

from PIL import Image
from smolagents import OpenAIModel, Tool, ToolCallingAgent
from toolyard import Toolyard
from toolyard.adapters import smolagents_tool

defaults = ["Draw a picture with Python, look at it, and say what you see.", "gpt-5.5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]
pictures = []


def show(step, agent):
    """Has the model see the pictures of a step."""
    step.observations_images = [Image.open(io.BytesIO(picture.data)) for picture in pictures]
    pictures.clear()


with Toolyard() as ty, ty.sessions.create() as s:
    definitions = ty.tools.definitions("mcp", names=["file_write", "execute_shell", "image_read"])
    tools = [type("SessionTool", (Tool,), smolagents_tool(s, tool, pictures))() for tool in definitions]
    agent = ToolCallingAgent(tools, OpenAIModel(model), step_callbacks=[show], max_steps=20, verbosity_level=0)
    print(agent.run(task))

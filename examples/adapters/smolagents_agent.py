import io
import sys

from PIL import Image
from smolagents import OpenAIModel, Tool, ToolCallingAgent
from toolyard import InvalidInput, LimitExceeded, NotFound, ToolFailed, Toolyard

defaults = ["Draw a picture with Python, look at it, and say what you see.", "gpt-5.5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]
pictures = []


def tool_of(session, definition):
    """A tool of a session as one of smolagents. Its results are texts: pictures wait for the end of the step."""
    schema = definition["inputSchema"]

    class SessionTool(Tool):
        name, description, output_type = definition["name"], definition["description"], "string"
        inputs = {
            key: {
                "type": part["type"] if isinstance(part.get("type"), str) else "any",
                "description": part.get("description", key),
                "nullable": key not in schema.get("required", []),
            }
            for key, part in schema["properties"].items()
        }
        skip_forward_signature_validation = True

        def forward(self, **arguments):
            try:
                result = session.tool(self.name, arguments)
            except (ToolFailed, InvalidInput, NotFound, LimitExceeded) as failed:
                return f"Error: {failed}"
            pictures.extend(Image.open(io.BytesIO(image.data)) for image in result.images)
            return result.text

    return SessionTool()


def show(step, agent):
    """Has the model see the pictures of a step."""
    step.observations_images = [*pictures]
    pictures.clear()


with Toolyard() as ty, ty.sessions.create() as s:
    definitions = ty.tools.definitions("mcp", names=["file_write", "execute_shell", "image_read"])
    tools = [tool_of(s, definition) for definition in definitions]
    agent = ToolCallingAgent(tools, OpenAIModel(model), step_callbacks=[show], max_steps=20, verbosity_level=0)
    print(agent.run(task))

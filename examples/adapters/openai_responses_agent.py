import sys

from openai import OpenAI
from toolyard import Toolyard
from toolyard.adapters import openai_responses_results

defaults = ["Draw a picture with Python, look at it, and say what you see.", "gpt-5.5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]

with Toolyard() as ty, ty.sessions.create() as s, OpenAI() as openai:
    tools = ty.tools.definitions("openai_responses", names=["file_write", "execute_shell", "image_read"])
    items = [{"role": "user", "content": task}]
    for _ in range(20):
        answer = openai.responses.create(model=model, tools=tools, input=items)
        results = openai_responses_results(s, answer.output)
        if not results:
            break
        items += [*answer.output, *results]
    print(answer.output_text)

import sys

from openai import OpenAI
from toolyard import Toolyard
from toolyard.adapters import openai_chat_results

defaults = ["Draw a picture with Python, look at it, and say what you see.", "gpt-5.5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]

with Toolyard() as ty, ty.sessions.create() as s, OpenAI() as openai:
    tools = ty.tools.definitions("openai", names=["file_write", "execute_shell", "image_read"])
    messages = [{"role": "user", "content": task}]
    for _ in range(20):
        message = openai.chat.completions.create(model=model, tools=tools, messages=messages).choices[0].message
        results = openai_chat_results(s, message)
        if not results:
            break
        messages += [message, *results]
    print(message.content)

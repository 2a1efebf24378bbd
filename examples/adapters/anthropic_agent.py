import sys

from anthropic import Anthropic
from toolyard import Toolyard
from toolyard.adapters import anthropic_results

defaults = ["Draw a picture with Python, look at it, and say what you see.", "claude-sonnet-5-5"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]

with Toolyard() as ty, ty.sessions.create() as s, Anthropic() as claude:
    tools = ty.tools.definitions("anthropic", names=["file_write", "execute_shell", "image_read"])
    messages = [{"role": "user", "content": task}]
    for _ in range(20):
        answer = claude.messages.create(model=model, max_tokens=4096, tools=tools, messages=messages)
        print(*[block.text for block in answer.content if block.type == "text"])
        results = anthropic_results(s, answer.content)
        if not results:
            break
        messages += [{"role": "assistant", "content": answer.content}, {"role": "user", "content": results}]

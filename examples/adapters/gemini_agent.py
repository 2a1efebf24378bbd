import sys

from google import genai
from toolyard import Toolyard
from toolyard.adapters import gemini_results

defaults = ["Draw a picture with Python, look at it, and say what you see.", "gemini-3.8-flash"]
task, model = sys.argv[1:3] + defaults[len(sys.argv) - 1 :]

with Toolyard() as ty, ty.sessions.create() as s, genai.Client() as gemini:
    functions = ty.tools.definitions("gemini", names=["file_write", "execute_shell", "image_read"])
    config = {"tools": [{"function_declarations": functions}]}
    contents = [{"role": "user", "parts": [{"text": task}]}]
    for _ in range(20):
        answer = gemini.models.generate_content(model=model, contents=contents, config=config)
        results = gemini_results(s, answer.function_calls)
        if not results:
            break
        # The model's content goes back whole: its thoughts are signed.
        contents += [answer.candidates[0].content, {"role": "user", "parts": results}]
    print(answer.text)

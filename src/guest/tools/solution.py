"""Runs code that defines `solution`, and answers with the text of its return value.

stdin brings one line of JSON: {"code", "mark"}. The code's output goes to stderr; the answer stands alone behind the
mark on stdout.
"""
import json
import os
import sys

request = json.loads(sys.stdin.readline())
sys.stdin = open(os.devnull)
answer_to = os.dup(1)
os.dup2(2, 1)


def answer():
    space = {'__name__': '__main__', '__builtins__': __builtins__}
    try:
        exec(compile(request['code'], '<command>', 'exec'), space)
        return {'answer': str(eval('solution()', space))}
    except BaseException as error:
        try:
            return {'error': repr(error)}
        except BaseException:
            return {'error': type(error).__name__ + '()'}


data = ('\n' + request['mark'] + json.dumps(answer())).encode('utf-8', 'replace')
for stream in (sys.stdout, sys.stderr):
    try:
        stream.flush()
    except Exception:
        pass
while data:
    data = data[os.write(answer_to, data):]
os._exit(0)

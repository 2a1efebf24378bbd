"""Lets a model's code look at a table: uploads it, runs code on it, shows what comes, and keeps the chart."""

import base64
import io

from e2b_code_interpreter import Sandbox

TABLE = "lake,otters\nNorth,3\nSouth,5\n"

sandbox = Sandbox.create(timeout=120, metadata={"job": "otters"}, envs={"SEASON": "summer"})
try:
    table = sandbox.files.write("otters.csv", io.BytesIO(TABLE.encode()), request_timeout=30)
    sandbox.run_code("import csv, os, time", request_timeout=30)
    counted = sandbox.run_code(
        f"rows = list(csv.DictReader(open({table.path!r})))\nsum(int(row['otters']) for row in rows)",
        timeout=60,
    )
    print("otters:", counted.text)

    heard = []

    def on_stdout(message):
        heard.append(message.line)
        # The code waits for this file: without its output before its end it never ends.
        sandbox.commands.run("touch go")

    waited = sandbox.run_code(
        "print('counting in', os.environ['SEASON'])\nwhile not os.path.exists('go'):\n    time.sleep(0.05)\nprint('counted')",
        on_stdout=on_stdout,
        on_stderr=lambda message: print("stderr:", message.line),
    )
    print("heard:", "".join(heard) == "".join(waited.logs.stdout), "".join(heard).split("\n")[:2])

    chart = sandbox.run_code(
        "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.bar([row['lake'] for row in rows], [3, 5])\nplt.show()",
        on_result=lambda result: print("formats:", [name for name in result.formats() if name == "png"]),
    )
    picture = next(result for result in chart.results if result.png)
    print("chart:", base64.b64decode(picture.png)[1:4].decode(), picture.chart)

    wrong = sandbox.run_code("rows[9]", on_error=lambda error: print("error:", error.name))
    if wrong.error:
        print(wrong.error.name, "-", wrong.error.value, "-", wrong.error.traceback.count("IndexError") > 0)
    print(wrong.logs, len(wrong.results))
    print(sandbox.run_code("echo from $SEASON", language="bash").logs.stdout)
finally:
    print("killed:", sandbox.kill())

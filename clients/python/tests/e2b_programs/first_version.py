"""A program for the first version of the packages, in which the class itself makes a sandbox."""

from e2b_code_interpreter import Sandbox

with Sandbox(timeout=120, metadata={"version": "1"}) as sandbox:
    sandbox.files.write("/home/user/greeting.txt", "hello")
    execution = sandbox.run_code("print(open('greeting.txt').read()); x = 20")
    print(execution.logs.stdout)
    print(sandbox.run_code("x + 1").text)
    print([one.sandbox_id == sandbox.sandbox_id for one in Sandbox.list() if one.metadata.get("version") == "1"])
    again = Sandbox(sandbox_id=sandbox.sandbox_id)
    print(again.files.read("/home/user/greeting.txt"), again.is_running())

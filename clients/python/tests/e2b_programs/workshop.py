"""Builds something in a sandbox with commands and files, finds the sandbox again, and ends it."""

from e2b_code_interpreter import CommandExitException, FileType, NotFoundException, Sandbox, SandboxQuery, TimeoutException

sandbox = Sandbox.create(metadata={"job": "workshop-7"}, request_timeout=60)
with sandbox:
    sandbox.files.write_files(
        [
            {"path": "app/main.py", "data": "print(sum(range(5)))\n"},
            {"path": "app/notes.txt", "data": b"bytes"},
        ],
        request_timeout=60,
    )
    result = sandbox.commands.run("python3 main.py", cwd="app", user="user", envs={"MODE": "test"}, request_timeout=60)
    print(result.stdout.strip(), result.exit_code, repr(result.stderr))
    try:
        sandbox.commands.run("echo broken >&2; exit 3")
    except CommandExitException as failed:
        print("failed:", failed.exit_code, failed.stderr.strip())
    try:
        sandbox.commands.run("sleep 60", timeout=1)
    except TimeoutException:
        print("timed out")

    server = sandbox.commands.run("until [ -e stop ]; do sleep 0.1; done; echo stopped", background=True)
    sandbox.commands.run("touch stop")
    print("background:", server.wait().stdout.strip())

    print([(entry.name, entry.type == FileType.FILE) for entry in sandbox.files.list("app", depth=1)])
    renamed = sandbox.files.rename("app/notes.txt", "app/read-me.txt", request_timeout=60)
    info = sandbox.files.get_info("app/read-me.txt")
    print(renamed.name, info.size, info.type.value, sandbox.files.exists("app/notes.txt", user="user"))
    print(sandbox.files.make_dir("app/out"), sandbox.files.read("app/read-me.txt", format="bytes"))
    sandbox.files.remove("app/out")
    try:
        sandbox.files.read("app/none.txt")
    except NotFoundException:
        print("not found")

    about = sandbox.get_info(request_timeout=60)
    print(about.sandbox_id == sandbox.sandbox_id, about.metadata, about.state.value, about.end_at > about.started_at)
    sandbox.set_timeout(600, request_timeout=60)
    paginator = Sandbox.list(query=SandboxQuery(metadata={"job": "workshop-7"}), limit=50)
    found = []
    while paginator.has_next:
        found.extend(paginator.next_items())
    print([one.sandbox_id == sandbox.sandbox_id for one in found])
    print(Sandbox.connect(found[0].sandbox_id, timeout=300).commands.run("ls app").stdout.split())
print("running:", sandbox.is_running(request_timeout=60))

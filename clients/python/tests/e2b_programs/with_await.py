"""The same with await."""

import asyncio

from e2b_code_interpreter import AsyncSandbox


async def main():
    sandbox = await AsyncSandbox.create(timeout=120, request_timeout=60)
    async with sandbox:
        heard = []

        async def on_stdout(message):
            heard.append(message.line)
            await sandbox.commands.run("touch go", request_timeout=60)

        code = "import os, time\nprint('begun')\nwhile not os.path.exists('go'):\n    time.sleep(0.05)\n6 * 7"
        execution = await sandbox.run_code(code, on_stdout=on_stdout)
        print(execution.text, "".join(heard).strip())
        info = await sandbox.get_info()
        paginator = AsyncSandbox.list()
        found = []
        while paginator.has_next:
            found.extend(one.sandbox_id for one in await paginator.next_items())
        print(info.sandbox_id in found, await sandbox.is_running())
    print(await sandbox.is_running())


asyncio.run(main())

"""The client with `await`."""

import asyncio
from typing import List

import pytest

from toolyard import AsyncToolyard, SessionNotFound


def test_the_same_with_await(base_url: str) -> None:
    async def main() -> None:
        async with AsyncToolyard(base_url) as ty, ty.sessions.create() as s:
            await s.files.write("a.txt", "one")
            pieces: List[str] = []

            async def keep(piece: str) -> None:
                pieces.append(piece)

            done, cell = await asyncio.gather(s.run("cat ../a.txt; echo", on_stdout=keep), s.python("6 * 7"))
            assert "".join(pieces) == done.stdout == "one\n" and cell.result == "42"
            assert [entry["path"] async for entry in s.files.list(recursive=True) if entry["type"] == "file"]
            async with s.files.watch() as events:
                assert (await events.__anext__()).name == "watching"
                await s.files.write("b.txt", b"two")
                assert "b.txt" in (await events.__anext__()).paths
            fork = await s.fork()
            assert await fork.files.read("b.txt") == "two"
            await fork.delete()
            with pytest.raises(SessionNotFound):
                await ty.sessions.get(fork.name)

    asyncio.run(main())

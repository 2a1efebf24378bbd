"""A client of the server that TOOLYARD_BASE_URL names: a real one, which the vitest test starts."""

import os
from typing import Iterator

import pytest

from toolyard import Session, Toolyard


@pytest.fixture(scope="session")
def base_url() -> str:
    return os.environ["TOOLYARD_BASE_URL"]


@pytest.fixture(scope="session")
def ty(base_url: str) -> Iterator[Toolyard]:
    with Toolyard(base_url) as client:
        yield client


@pytest.fixture
def s(ty: Toolyard) -> Iterator[Session]:
    with ty.sessions.create() as session:
        yield session

"""One server for all tests of this folder that need no other."""

from collections.abc import Iterator

import pytest

from support_web import Served, serving


@pytest.fixture(scope="session")
def server() -> Iterator[Served]:
    with serving() as served:
        yield served

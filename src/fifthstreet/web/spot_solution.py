"""A spot solved and looked at."""

from typing import Any


def prepare() -> None: ...
def solved(spot: Any, report: Any) -> Any: ...

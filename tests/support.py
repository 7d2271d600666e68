"""Types that tests share."""

from collections.abc import Callable

Rows = Callable[[str], list[dict[str, str]]]

"""How often somebody may ask for what costs much; more is refused with a sentence that says when to ask again."""

import ipaddress
import math
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from fifthstreet.web.refusals import Busy

MOST_KNOWN = 10_000  # of those who asked lately


class Rate(NamedTuple):
    at_once: int
    per_minute: float
    what: str


RATES = {
    "coach": Rate(20, 30, "coaches were asked for at this seat"),
    "coaches": Rate(300, 300, "coaches were asked for from your address"),
    "table": Rate(600, 120, "tables were opened from your address"),
    "watch": Rate(30, 10, "matches were started from your address"),
    "import": Rate(60, 30, "files were sent from your address"),
}


class Rates:
    """What everybody may still ask for: as much as is allowed at once, and again as time passes."""

    def __init__(self, rates: Mapping[str, Rate] = RATES) -> None:
        self._rates = rates
        self._left: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()  # how much, and when

    def take(self, kind: str, who: str) -> None:
        """Count a request of this kind; Busy if it is one too many."""
        rate, now = self._rates[kind], time.monotonic()
        left, then = self._left.get((kind, who), (float(rate.at_once), now))
        left = min(float(rate.at_once), left + (now - then) * rate.per_minute / 60)
        self._left[kind, who] = (left - 1 if left >= 1 else left), now
        self._left.move_to_end((kind, who))
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        if left < 1:
            wait = math.ceil((1 - left) * 60 / rate.per_minute)
            raise Busy(f"too many {rate.what}: ask again in {wait} {'second' if wait == 1 else 'seconds'}", wait)


def visitor(host: str | None) -> str:
    """Who asks, as far as the address tells: of an IPv6 address, the network counts."""
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return host or ""
    return str(ipaddress.ip_network(f"{address}/64", strict=False)) if address.version == 6 else str(address)

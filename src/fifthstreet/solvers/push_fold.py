"""Jam or fold before the flop with short stacks: exact for two players, from sampled deals for three.

The small blind posts half a big blind, the big blind one, and each player an ante; `stack` is what each had before
posting. All amounts are in big blinds, and a payoff is what is won from before posting: a jam that is called is worth
stack × (2 × equity − 1).

Heads-up, both players have two actions with each of the 169 classes. Regret matching finds which classes mix; then
their frequencies follow exactly, since each of them makes the opponent's mixed classes indifferent.

>>> found = push_fold(10)
>>> f"{found.jam:.4f} {found.call:.4f} {found.value_bb:.5f}"
'0.5828 0.3738 -0.04537'
"""

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.errors import InputError, quoted
from fifthstreet.estimate import Z95, Estimate
from fifthstreet.evaluation.exact import showdown
from fifthstreet.evaluation.preflop import class_number
from fifthstreet.evaluation.ranges import ALL_COMBOS, CLASSES, combos_of
from fifthstreet.evaluation.strength import BIT, EMPTY, KEY, strength_7
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order
from fifthstreet.rng import below, stream
from fifthstreet.shown import Shown, TableOfText

Floats = NDArray[np.float64]

MOST_STACK = 25.0
MOST_ANTE = 1.0
DEALS = 400_000  # sampled for three players
COMBOS = np.array([len(combos_of(name)) for name in CLASSES], float)


@functools.cache
def class_equities() -> tuple[Floats, Floats]:
    """For each class against each: equity, and the number of pairs of hands that share no card; both (169, 169)."""
    found = cache.arrays(__file__, "class-equities", _compute_equities)
    return found["equity"], found["pairs"]


def _compute_equities() -> dict[str, Any]:
    """Over every board. Pairs of hands that differ only by suits are played out once."""
    mine = np.array([combos_of(name)[0] for name in CLASSES], np.int64)
    all_hands = np.array(ALL_COMBOS, np.int64)
    first, second = (index.ravel() for index in np.indices((len(mine), len(all_hands))))
    rows = np.concatenate([mine[first], all_hands[second]], axis=1)
    apart = (rows[:, :2, None] != rows[:, None, 2:]).all(axis=(1, 2))
    first, rows = first[apart], rows[apart]
    keys = np.stack([_canonical(rows), _canonical(rows[:, [2, 3, 0, 1]])])
    key, swapped = keys.min(axis=0), keys[1] < keys[0]
    unique, place = np.unique(key, return_inverse=True)
    pairs = np.stack([unique // 52**3, unique // 52**2 % 52, unique // 52 % 52, unique % 52], axis=1).reshape(-1, 2, 2)
    nothing = np.zeros(0, np.int64)

    def some(cut: slice) -> Floats:
        found = []
        for held in pairs[cut]:
            wins = np.zeros(4, np.int64)
            showdown(held, nothing, nothing, wins)
            found.append((wins[1] + wins[3] / 2) / wins.sum())
        return np.array(found)

    cuts = [slice(i, i + 500) for i in range(0, len(pairs), 500)]
    shares = np.concatenate(list(in_order(some, cuts)))[place.ravel()]
    shares = np.where(swapped, 1 - shares, shares)
    theirs = np.array([class_number(int(a), int(b)) for a, b in ALL_COMBOS])[second[apart]]
    equity, count = np.zeros((169, 169)), np.zeros((169, 169))
    np.add.at(equity, (first, theirs), shares)
    np.add.at(count, (first, theirs), 1.0)
    return {"equity": equity / np.maximum(count, 1), "pairs": count * COMBOS[:, None]}


def _canonical(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number that is the same for pairs of hands that differ only by suits."""
    found = None
    for order in permutations(range(4)):
        cards = (rows & ~3) | np.array(order)[rows & 3]
        high, low = np.maximum(cards[:, ::2], cards[:, 1::2]), np.minimum(cards[:, ::2], cards[:, 1::2])
        number = ((high[:, 0] * 52 + low[:, 0]) * 52 + high[:, 1]) * 52 + low[:, 1]
        found = number if found is None else np.minimum(found, number)
    assert found is not None
    return found


@dataclass(frozen=True)
class Chart:
    """How often each of the 169 classes does something, in the order of CLASSES."""

    title: str
    chances: Floats

    @property
    def share(self) -> float:
        """Of all 1,326 hands."""
        return float(self.chances @ COMBOS / COMBOS.sum())

    def __str__(self) -> str:
        """Thirteen rows: a class that always does it in full, others with their percentage or as a dot."""
        lines = []
        for i in range(0, 169, 13):
            cells = zip(CLASSES[i : i + 13], self.chances[i : i + 13], strict=True)
            lines.append(" ".join(_cell(name, chance) for name, chance in cells).rstrip())
        return "\n".join(lines)


def _cell(name: str, chance: float) -> str:
    text = name if chance > 0.995 else f"{100 * chance:.0f}%" if chance > 0.005 else "·"
    return f"{text:<3}"


class _Charts(Shown):
    """What results of two and of three players have in common."""

    def charts(self) -> list[tuple[str, Chart]]:
        raise NotImplementedError

    def table(self) -> TableOfText:
        charts = self.charts()
        rows = [[name, *(f"{chart.chances[i]:.3f}" for _, chart in charts)] for i, name in enumerate(CLASSES)]
        return ["hand", *(chart.title for _, chart in charts)], rows, str(self)

    def plotted(self) -> list[tuple[str, Estimate]]:
        return [(chart.title, Estimate.exact(chart.share)) for _, chart in self.charts()]

    def measured_in(self) -> str:
        return "share of all hands"

    def _repr_html_(self) -> str:
        parts = []
        for _, chart in self.charts():
            cells = []
            for i, name in enumerate(CLASSES):
                shade = 235 - int(150 * chart.chances[i])
                style = f"width:3em;text-align:center;color:#000;background:rgb({shade},235,{shade})"
                cells.append(f'<td style="{style}" title="{chart.chances[i]:.1%}">{name}</td>')
            rows = "".join(f"<tr>{''.join(cells[i : i + 13])}</tr>" for i in range(0, 169, 13))
            parts.append(f"<table><caption>{chart.title}: {chart.share:.2%}</caption>{rows}</table>")
        return "".join(parts) + f"<p>{self}</p>"


@dataclass(frozen=True)
class PushFold(_Charts):
    """The exact equilibrium of two players.

    jam, call       shares of all hands with which the small blind jams and the big blind calls
    value_bb        what the small blind wins on average
    exploitability  what a perfect opponent would win more, the mean of both seats: rounding
    """

    stack: float
    ante: float
    jam_chances: Floats
    call_chances: Floats
    value_bb: float
    exploitability: float

    @property
    def jam(self) -> float:
        return Chart("", self.jam_chances).share

    @property
    def call(self) -> float:
        return Chart("", self.call_chances).share

    def charts(self) -> list[tuple[str, Chart]]:
        jam, call = Chart("small blind jams", self.jam_chances), Chart("big blind calls", self.call_chances)
        return [(f"{chart.title} {chart.share:.2%}", chart) for chart in (jam, call)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "stack": self.stack,
            "ante": self.ante,
            "jam": self.jam,
            "call": self.call,
            "value_bb": self.value_bb,
            "exploitability_bb": self.exploitability,
            "classes": {
                name: {"jam": float(self.jam_chances[i]), "call": float(self.call_chances[i])}
                for i, name in enumerate(CLASSES)
            },
        }

    def __str__(self) -> str:
        ante = f", ante {self.ante:g}" if self.ante else ""
        value = f"{self.value_bb:+.5f}".replace("-", "−")
        return f"{self.stack:g} bb{ante}: jam {self.jam:.2%}, call {self.call:.2%}, worth {value} bb to the small blind"


@functools.lru_cache(maxsize=256)
def push_fold(stack: float, ante: float = 0.0) -> PushFold:
    """Exact jam-or-fold play of two players with this many big blinds, each before posting."""
    stack, ante = _checked(stack, ante, 1.0)
    equity, pairs = class_equities()
    total = pairs.sum()
    called = stack * (2 * equity - 1)
    # What jamming is worth over folding, if all fold, and what changes where they call; then what calling is worth.
    rest, difference = pairs.sum(axis=1) / total * (1.5 + 2 * ante), pairs / total * (called - 1 - ante)
    calling = pairs.T / total * (1 + ante - called.T)

    def jam_gain(call: Floats) -> Floats:
        return rest + difference @ call

    def call_gain(jam: Floats) -> Floats:
        return calling @ jam

    for jam, call in _approximations(jam_gain, call_gain):
        exact = next(filter(None, (_polished(jam, call, difference, rest, calling, mixed) for mixed in range(4))), None)
        if exact is not None:
            jam, call = exact
            break
    gained = (np.maximum(jam_gain(call), 0) - jam * jam_gain(call)).sum()
    gained += (np.maximum(call_gain(jam), 0) - call * call_gain(jam)).sum()
    value = float(jam @ jam_gain(call) - (0.5 + ante))
    return PushFold(stack, ante, jam, call, value, float(gained / 2))


def _checked(stack: Any, ante: Any, blind: float) -> tuple[float, float]:
    numbers = []
    for value, what in ((stack, "big blinds is not a stack"), (ante, "big blinds is not an ante")):
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise InputError(f"{quoted(value)} {what}")
        numbers.append(float(value))
    stack, ante = numbers
    if not 1 <= stack <= MOST_STACK:
        raise InputError(f"a stack of {stack:g} big blinds: jam or fold is solved for 1 to {MOST_STACK:g}")
    if not 0 <= ante <= MOST_ANTE:
        raise InputError(f"an ante of {ante:g} big blinds: it must be from 0 to {MOST_ANTE:g}")
    if stack < blind + ante:
        raise InputError(f"a stack of {stack:g} big blinds cannot post the big blind and an ante of {ante:g}")
    return stack, ante


def _approximations(
    jam_gain: Any, call_gain: Any, times: int = 60, iterations: int = 250
) -> Iterator[tuple[Floats, Floats]]:
    """Play that gets ever closer to optimal: positive regrets only, and later strategies weigh more."""
    regrets = np.zeros((2, 2, 169))  # by player; of acting and of folding
    means, now = np.zeros((2, 169)), np.full((2, 169), 0.5)
    for t in range(1, times * iterations + 1):
        for player, gain in enumerate((jam_gain, call_gain)):
            found = gain(now[1 - player])
            regrets[player, 0] = np.maximum(regrets[player, 0] + found * (1 - now[player]), 0)
            regrets[player, 1] = np.maximum(regrets[player, 1] - found * now[player], 0)
            sums = regrets[player].sum(axis=0)
            now[player] = np.where(sums > 0, regrets[player, 0] / np.where(sums > 0, sums, 1), now[player])
            means[player] += (now[player] - means[player]) * 3 / (t + 2)
        if t % iterations == 0:
            yield means[0], means[1]


def _polished(
    jam: Floats, call: Floats, difference: Floats, rest: Floats, calling: Floats, mixed: int
) -> tuple[Floats, Floats] | None:
    """The exact equilibrium if of each player this many classes mix, those that gain the least; None if it is not."""
    jams, calls = rest + difference @ call, calling @ jam
    mixed_jam, mixed_call = (np.argsort(np.abs(gains) / COMBOS)[:mixed] for gains in (jams, calls))
    jam, call = (jams > 0).astype(float), (calls > 0).astype(float)
    jam[mixed_jam] = call[mixed_call] = 0.0
    if mixed:
        try:
            chances = np.linalg.solve(difference[np.ix_(mixed_jam, mixed_call)], -(rest + difference @ call)[mixed_jam])
            others = np.linalg.solve(calling[np.ix_(mixed_call, mixed_jam)], -(calling @ jam)[mixed_call])
        except np.linalg.LinAlgError:
            return None
        call[mixed_call], jam[mixed_jam] = chances, others
    if min(jam.min(), call.min()) < 0 or max(jam.max(), call.max()) > 1:
        return None
    jams, calls = rest + difference @ call, calling @ jam
    gained = (np.maximum(jams, 0) - jam * jams).sum() + (np.maximum(calls, 0) - call * calls).sum()
    return (jam, call) if gained < 1e-13 else None


# Three players.

BUTTON, SMALL_OVER, SMALL_FIRST, BIG_OVER_BUTTON, BIG_OVER_SMALL, BIG_OVER_BOTH = range(6)
SITUATIONS = (
    "button jams",
    "small blind calls the button",
    "small blind jams after a fold",
    "big blind calls the button",
    "big blind calls the small blind",
    "big blind calls both",
)


@dataclass(frozen=True)
class ThreeHanded(_Charts):
    """Jam-or-fold play of three players, from sampled deals.

    With three players there need not be one value, and this is the end of one run of regret matching.

    chances   (6, 169) in the order of SITUATIONS
    value_bb  what button, small blind and big blind win on average
    gains     what each of them could win more by playing perfectly against the others, on the sampled deals
    deals     how many were sampled
    """

    stack: float
    ante: float
    chances: Floats
    value_bb: tuple[Estimate, Estimate, Estimate]
    gains: tuple[float, float, float]
    deals: int

    def charts(self) -> list[tuple[str, Chart]]:
        charts = [Chart(title, row) for title, row in zip(SITUATIONS, self.chances, strict=True)]
        return [(f"{chart.title} {chart.share:.1%}", chart) for chart in charts]

    def to_dict(self) -> dict[str, Any]:
        return {
            "stack": self.stack,
            "ante": self.ante,
            "players": 3,
            **{
                title.replace(" ", "_"): Chart(title, row).share
                for title, row in zip(SITUATIONS, self.chances, strict=True)
            },
            "value_bb": [value.to_dict() for value in self.value_bb],
            "gain_bb": list(self.gains),
            "deals": self.deals,
        }

    def __str__(self) -> str:
        ante = f", ante {self.ante:g}" if self.ante else ""
        names = ("button", "small blind", "big blind")
        values = ", ".join(f"{name} {value}" for name, value in zip(names, self.value_bb, strict=True))
        return f"{self.stack:g} bb{ante}, three players, {self.deals:,} sampled deals: {values} bb"


@functools.lru_cache(maxsize=64)
def three_handed(
    stack: float, ante: float = 0.0, deals: int = DEALS, iterations: int = 300, seed: int = 0
) -> ThreeHanded:
    """Jam-or-fold play of three players: button, small blind and big blind."""
    stack, ante = _checked(stack, ante, 1.0)
    classes, strengths = sampled_deals(deals, seed)
    regrets, means, now = np.zeros((6, 169, 2)), np.zeros((6, 169)), np.full((6, 169), 0.5)
    gains, sums = np.zeros((6, 169)), np.zeros((2, 3))
    for t in range(1, iterations + 1):
        play_three(classes, strengths, stack, ante, now, gains, sums)
        means += (now - means) * 2 / (t + 1)
        regrets[:, :, 0] = np.maximum(regrets[:, :, 0] + gains * (1 - now), 0)
        regrets[:, :, 1] = np.maximum(regrets[:, :, 1] - gains * now, 0)
        both = regrets.sum(axis=2)
        now = np.where(both > 0, regrets[:, :, 0] / np.where(both > 0, both, 1), now)
    play_three(classes, strengths, stack, ante, means, gains, sums)
    better = (np.maximum(gains, 0) - means * gains).sum(axis=1)
    by_seat = (better[0], better[1] + better[2], better[3] + better[4] + better[5])
    centre = sums[0] / deals
    half = Z95 * np.sqrt(np.maximum(sums[1] / deals - centre**2, 0) / deals)
    values = [Estimate(float(m), float(m - h), float(m + h), deals) for m, h in zip(centre, half, strict=True)]
    gained = float(by_seat[0]), float(by_seat[1]), float(by_seat[2])
    return ThreeHanded(stack, ante, means, (values[0], values[1], values[2]), gained, deals)


@functools.lru_cache(maxsize=4)
def sampled_deals(deals: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The classes and the final strengths of three hands, in each of so many random deals."""
    classes, strengths = np.zeros((deals, 3), np.int64), np.zeros((deals, 3), np.int64)
    deal_three(stream(seed, "push-fold").state, classes, strengths)
    return classes, strengths


@kernel
def deal_three(rng: Any, classes: NDArray[np.int64], strengths: NDArray[np.int64]) -> None:
    """Fill in random deals."""
    deck = np.arange(52)
    for number in range(classes.shape[0]):
        for i in range(11):
            j = i + below(rng, 52 - i)
            deck[i], deck[j] = deck[j], deck[i]
        key, bits = EMPTY, np.uint64(0)
        for i in range(6, 11):
            key, bits = key + KEY[deck[i]], bits | BIT[deck[i]]
        for seat in range(3):
            a, b = deck[2 * seat], deck[2 * seat + 1]
            classes[number, seat] = class_number(a, b)
            strengths[number, seat] = strength_7(key + KEY[a] + KEY[b], bits | BIT[a] | BIT[b])


@kernel
def play_three(
    classes: NDArray[np.int64],
    strengths: NDArray[np.int64],
    stack: float,
    ante: float,
    chances: Floats,
    gains: Floats,
    sums: Floats,
) -> None:
    """For each situation and class: what acting is worth over folding, times how likely others let it come to that.

    `sums` becomes the payoffs and their squares, added up by seat.
    """
    gains[:] = 0.0
    sums[:] = 0.0
    deals = classes.shape[0]
    won = np.zeros(3)
    small, big = 0.5, 1.0
    for deal in range(deals):
        a, b, c = classes[deal, 0], classes[deal, 1], classes[deal, 2]
        x, y, z = strengths[deal, 0], strengths[deal, 1], strengths[deal, 2]
        jam, over, first = chances[0, a], chances[1, b], chances[2, b]
        call_button, call_small, call_both = chances[3, c], chances[4, c], chances[5, c]
        button_small = part(x, y, 0) * (2 * stack + big + ante) - stack  # what the button wins if only that one calls
        button_big = part(x, z, 0) * (2 * stack + small + ante) - stack
        small_button = part(y, x, 0) * (2 * stack + big + ante) - stack
        big_button = part(z, x, 0) * (2 * stack + small + ante) - stack
        small_big = part(y, z, 0) * (2 * stack + ante) - stack
        big_small = part(z, y, 0) * (2 * stack + ante) - stack
        all_button, all_small, all_big = (
            part(x, y, z) * 3 * stack - stack,
            part(y, x, z) * 3 * stack - stack,
            part(z, x, y) * 3 * stack - stack,
        )
        lose_button, lose_small, lose_big = -ante, -small - ante, -big - ante
        steal_button, steal_small = small + big + 2 * ante, big + 2 * ante
        # The big blind.
        gains[3, c] += jam * (1 - over) * (big_button - lose_big)
        gains[4, c] += (1 - jam) * first * (big_small - lose_big)
        gains[5, c] += jam * over * (all_big - lose_big)
        # The small blind: over a jam, and first in.
        called = call_both * all_small + (1 - call_both) * small_button
        gains[1, b] += jam * (called - lose_small)
        opened = call_small * small_big + (1 - call_small) * steal_small
        gains[2, b] += (1 - jam) * (opened - lose_small)
        # The button.
        against_small = call_both * all_button + (1 - call_both) * button_small
        against_big = call_button * button_big + (1 - call_button) * steal_button
        jammed = over * against_small + (1 - over) * against_big
        gains[0, a] += jammed - lose_button
        # What each wins.
        won[0] = jam * jammed + (1 - jam) * lose_button
        won[1] = jam * (over * called + (1 - over) * lose_small)
        won[1] += (1 - jam) * (first * opened + (1 - first) * lose_small)
        won[2] = -won[0] - won[1]
        for seat in range(3):
            sums[0, seat] += won[seat]
            sums[1, seat] += won[seat] * won[seat]
    for i in range(6):
        for j in range(169):
            gains[i, j] /= deals


@kernel
def part(mine: int, other: int, third: int) -> float:
    """The share of a pot that a strength wins from one or, if the third is not 0, two others."""
    best = max(other, third)
    if mine != best:
        return 1.0 if mine > best else 0.0
    return 1.0 / (1 + (mine == other) + (mine == third))

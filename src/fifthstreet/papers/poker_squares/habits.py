"""Claims about Poker Squares that are not about who scores more: how players place cards, what hands and time cost."""

import functools
import time
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import agent_named
from fifthstreet.agents.squares import lines, narl
from fifthstreet.arena.match import match
from fifthstreet.estimate import Estimate, mean, share
from fifthstreet.games.point_systems import AMERICAN, ENGLISH
from fifthstreet.games.poker_squares import CELLS, LINES, SIDE, PokerSquares, SquaresState, SquaresView, category_of
from fifthstreet.papers.paper import Experiment, Run, TableResult
from fifthstreet.papers.poker_squares.columns import Played, smallest
from fifthstreet.rng import seeded, stream

Floats = NDArray[np.float64]

SECONDS, USED = 30.0, 2.8  # time per game in the contest, and how much of it the paper's expectimax used
PREPARING = 300.0  # seconds to learn a point system in the contest

# What the paper's own clock says, if a grid takes as long to evaluate in every part of its program.


def grids(depth: int) -> int:
    """Return how many grids expectimax evaluates in a game, from the second card on.

    >>> grids(1), grids(2)
    (300, 204700)
    """
    total = 0
    for placed in range(1, CELLS - depth + 1):
        looked = 1
        for step in range(depth):
            looked *= (CELLS - placed - step) * (52 - placed - step if step else 1)
        total += looked
    return total


GRIDS_A_SECOND = grids(2) / USED
GREEDY_GAME = sum(range(1, CELLS + 1))  # grids evaluated in a game of greedy play
LEARNED = round(GRIDS_A_SECOND * PREPARING / GREEDY_GAME, -2)  # greedy games that the paper's players learn from


def depth_3(run: Run) -> Estimate:
    """Return the seconds that the paper's program would need for a game with expectimax of depth 3."""
    return Estimate.exact(grids(3) / GRIDS_A_SECOND)


def first_cells(run: Run) -> Estimate:
    """Return how many different cells there are for the first card."""
    position = lines.empty_grid(AMERICAN)
    lines.clear(position, False)
    return Estimate.exact(len({int(lines.alike(position, cell)) for cell in range(CELLS)}))


# The pace of learning.


def _pace(run: Run, size: int) -> dict[str, Floats]:
    """Return the processor time for a batch of lessons by greedy play, random play, and greedy play with hand sizes."""
    games, found = 100, []
    known = narl.learned_anew(AMERICAN, 0.5, False, 2_000, run.seed)
    for number in range(size):
        row = []
        for explored, sizes in ((0.0, 0), (narl.ALWAYS, 0), (0.0, lines.SIZES)):
            values, means = known.values.copy(), np.zeros(sizes, np.float32)
            counts = np.full(len(values), 1_000, np.int32), np.full(sizes, 1_000, np.int32)
            position, rng = lines.empty_grid(AMERICAN), stream(run.seed, "pace", number).state
            narl.learn(position, values, counts[0], means, counts[1], 1, explored, rng)
            begin = time.thread_time()
            narl.learn(position, values, counts[0], means, counts[1], games, explored, rng)
            row.append((time.thread_time() - begin) / games)
        found.append(row)
    return dict(zip(("greedy", "random", "sizes"), np.array(found).T, strict=True))


PACE = Experiment("pace", "batches of 100 lessons", _pace, quick=(12, 96), paper=(64, 512))


def random_is_cheaper(run: Run) -> Estimate:
    """Return how many games of random play take as long as one of greedy play."""
    found = run.play(PACE)
    return mean(found["greedy"] / found["random"])


def pace_table(run: Run) -> TableResult:
    found = run.play(PACE)
    rows = [
        (name, f"{1e6 * mean(found[key]).value:.1f} µs", str(mean(found[key] / found["greedy"])), f"{counted:.3f}")
        for name, key, counted in (
            ("greedy play", "greedy", 1.0),
            ("random play", "random", narl.RANDOM_COST),
            ("greedy play with hand sizes", "sizes", narl.SIZES_COST),
        )
    ]
    return TableResult(
        ("learning from a game of", "processor time", "beside greedy play", "counted as"),
        tuple(rows),
        note="Players with equal time get lessons by the last column, so that results do not depend on the machine.",
    )


# How cards are placed.


def games(system: str, agent: str, number: int, seed: int) -> list[SquaresState]:
    """Return finished games of one player."""
    game = PokerSquares(system)
    player = agent_named(agent, game.name)
    policy, mind, found = player.policy(game), player.mind(game), []
    assert policy is not None  # all are compiled
    for deal in range(number):
        dealer, own, state = stream(seed, "habits", deal), stream(seed, "player", deal), game.start()
        for card in dealer.sample(range(52), CELLS):
            state = game.after(state, card)
            state = game.after(state, int(policy(game.view(state, 0), mind, own.state)))
        found.append(state)
    return found


def unevenness(state: SquaresState, cards: int) -> float:
    """Return the variance of how long lines are after this many cards, beside that of random placement.

    Random cells follow the hypergeometric distribution: of `cards` out of 25 cells, five are in each line.
    """
    lengths = np.zeros(LINES)
    for cell in [*state.order][:cards]:
        lengths[cell // SIDE] += 1
        lengths[SIDE + cell % SIDE] += 1
    by_chance = cards * (SIDE - 1) / SIDE**2 * (CELLS - cards) / (CELLS - 1)
    return float(((lengths - cards / SIDE) ** 2).mean() / by_chance)


def nothing_in(state: SquaresState) -> tuple[int, int]:
    """Return in how many rows and in how many columns there is no hand, not even a pair."""
    empty = [category_of(state, line) == 0 for line in range(LINES)]
    return sum(empty[:SIDE]), sum(empty[SIDE:])


PENALTY = " ".join(map(str, (-100, *AMERICAN[1:])))
STAGES = (5, 10, 15)  # cards placed in "the early and middle stages"


def habits(agent: str, deals: int) -> Callable[[Run, int], dict[str, list[list[SquaresState]]]]:
    """Return a function that plays games of this agent, by point system and run of learning."""

    def played(run: Run, size: int) -> dict[str, list[list[SquaresState]]]:
        return {
            system: [
                _kept_games(system, agent.format(seed=number), deals, int(seeded(run.seed, system, number)[0] >> 1))
                for number in range(size)
            ]
            for system in ("american", "english", PENALTY)
        }

    return played


_kept_games = functools.lru_cache(maxsize=10_000)(games)

HabitsPlayed = dict[str, list[list[SquaresState]]]


def per_run(found: HabitsPlayed, system: str, measure: Callable[[SquaresState], float]) -> Estimate:
    """Return the mean over games; the interval is over runs of learning."""
    return mean([float(np.mean([measure(state) for state in games])) for games in found[system]])


def spread(found: HabitsPlayed) -> Estimate:
    return per_run(found, "american", lambda state: float(np.mean([unevenness(state, cards) for cards in STAGES])))


def dumps(found: HabitsPlayed, system: str) -> Estimate:
    return per_run(found, system, lambda state: float(min(nothing_in(state)) > 0))


def fewer_nothings(found: HabitsPlayed) -> Estimate:
    """Return how many lines fewer have no hand if that costs 100 points."""
    free, costly = (
        np.array([np.mean([sum(nothing_in(state)) for state in games]) for games in found[system]])
        for system in ("american", PENALTY)
    )
    return mean(free - costly)


def habits_table(found: HabitsPlayed) -> TableResult:
    rows = []
    for name, system in (("American", "american"), ("English", "english"), ("American, high card −100", PENALTY)):
        spreads = [per_run(found, system, functools.partial(unevenness, cards=cards)) for cards in STAGES]
        without = per_run(found, system, lambda state: float(sum(nothing_in(state))))
        rows.append((name, *map(str, spreads), str(without), str(dumps(found, system))))
    count = len(found["american"])
    return TableResult(
        (
            "system",
            *(f"unevenness after {cards} cards" for cards in STAGES),
            "lines with no hand",
            "games with a dump",
        ),
        tuple(rows),
        note="Greedy play with ε₀ = 0.5. Unevenness: the variance of the lengths of the ten lines, where random "
        "placement has 1. A dump: a row and a column without even a pair; the share of games with one of each. "
        f"{count} runs of learning, {len(found['american'][0])} games each.",
    )


# Whether point systems ask for different placements.


def _same_cell(view: SquaresView, cell: int) -> tuple[int, int]:
    """Return row and column, the first empty one for any that is empty: empty ones are alike."""
    row, column = divmod(cell, SIDE)
    grid = np.array([*view.grid]).reshape(SIDE, SIDE) >= 0
    rows, columns = np.flatnonzero(~grid.any(axis=1)), np.flatnonzero(~grid.any(axis=0))
    return int(rows[0]) if row in rows else row, int(columns[0]) if column in columns else column


@functools.lru_cache(maxsize=10_000)
def disagreement(own: str, other: str, other_system: str, deals: int, seed: int) -> float:
    """Return the share of placements in American games of `own` where `other`, of another system, differs."""
    here, there = PokerSquares("american"), PokerSquares(other_system)
    (policy, mind), (other_policy, other_mind) = (_playing(own, here), _playing(other, there))
    no_rng, differ, count = np.empty(4, np.uint64), 0, 0
    for deal in range(deals):
        state = here.start()
        for placed, card in enumerate(stream(seed, "disagreement", deal).sample(range(52), CELLS)):
            state = here.after(state, card)
            view = here.view(state, 0)
            cell = int(policy(view, mind, no_rng))
            if 0 < placed < CELLS - 1:
                cards = {filled: view.grid[filled] for filled in [*view.order][:placed]}
                theirs = SquaresView.filled(there.points, cards, card)
                differ += _same_cell(view, int(other_policy(theirs, other_mind, no_rng))) != _same_cell(view, cell)
                count += 1
            state = here.after(state, cell)
    return differ / count


def _playing(agent: str, game: PokerSquares) -> tuple[Callable[..., int], Floats]:
    player = agent_named(agent, game.name)
    policy = player.policy(game)
    assert policy is not None  # greedy players are compiled
    return policy, player.mind(game)


def disagreements(agent: str, deals: int) -> Callable[[Run, int], tuple[Floats, Floats]]:
    """Return a function that measures how often players of the English system differ, and others of the same."""

    def played(run: Run, size: int) -> tuple[Floats, Floats]:
        found = []
        for number in range(size):
            own, other = agent.format(seed=number), agent.format(seed=number + 1)
            seed = int(seeded(run.seed, "disagreement", number)[0] >> 1)
            found.append([disagreement(own, other, system, deals, seed) for system in ("english", "american")])
        english, american = np.array(found).T
        return english, american

    return played


# How hard hands are, and winning.

HARD = ("flush", "full house", "straight")  # by the English points: 5, 10, 12


def hands_in_order(found: Played) -> Estimate:
    """Return by how many hands a game the easier of two neighbours is ahead, for the pair with the smaller lead."""
    made = [found.scores[column]["ε₀ = 0.5"] for column in HARD]
    return smallest(mean(easier - harder) for easier, harder in pairwise(made))


def hands_table(found: Played) -> TableResult:
    rows = []
    for category, column in enumerate(("straight", "flush", "full house"), 4):
        made = mean(found.scores[column]["ε₀ = 0.5"])
        rows.append((column, str(made), str(AMERICAN[category]), str(ENGLISH[category])))
    return TableResult(
        ("hand", "per game, if nothing else counts", "American points", "English points"),
        tuple(rows),
        note=f"Greedy play with ε₀ = 0.5 in the single-hand systems, {found.observations} runs of learning.",
    )


WINNING = {"american": 200, "english": 70}


def won(agents: Sequence[str]) -> Callable[[Run, int], dict[str, Floats]]:
    """Return a function that plays games, and says by system which were won: a row for each game, a column each."""

    def played(run: Run, size: int) -> dict[str, Floats]:
        return {
            system: (_scores(system, agents, size, run) >= total).astype(float) for system, total in WINNING.items()
        }

    return played


def _scores(system: str, agents: Sequence[str], games: int, run: Run) -> Floats:
    return match(f"poker-squares:system={system}", agents, games, run.seed, report=run.report).by_deal


def win_share(wins: Floats) -> Estimate:
    return share(float(wins.sum()), float(wins.sum()), len(wins))

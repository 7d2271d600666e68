"""Evolution at the table: strategies play the same deals, those that win more leave more behind.

`improved` is an evolutionary strategy (Rechenberg; in this form Wierstra and others, 2014): a generation of strategies
is scattered around one, in pairs of opposite deviations, and it moves towards those that did well, by rank, at each
table.
`coevolved` lets strategies fight to survive: the one that is improved meets the paper's players and survivors of
earlier generations. A `rival` is bred only to beat one player between two.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.draw import adaptive, equilibrium, styles
from fifthstreet.agents.draw.genes import GENES, LARGEST, Tables, by_genes, default_genes, simple_genes
from fifthstreet.games.betting import ANTES, PAID, SEATS
from fifthstreet.games.five_card_draw import (
    ACTOR,
    DEALT,
    DONE,
    FULL_DECK,
    SIZE,
    STREET,
    FiveCardDraw,
    allowed,
    apply,
    card_at,
    show_to,
    start,
    to_be_dealt,
    winnings,
)
from fifthstreet.kernel import kernel
from fifthstreet.parallel import in_order
from fifthstreet.rng import below, fork, seeded

BY_TABLE, BY_VALUE, LEARNING, BY_GENES, BY_EQUILIBRIUM = range(5)  # who a player is
AS_THEY_ARE = 1e12  # amounts, however large they are


@dataclass(frozen=True)
class Player:
    """Somebody at a training table."""

    kind: int
    mind: NDArray[np.float64]


STYLES = {
    "loose-aggressive": Player(BY_TABLE, styles.mind_of(styles.LOOSE_AGGRESSIVE)),
    "loose-passive": Player(BY_TABLE, styles.mind_of(styles.LOOSE_PASSIVE)),
    "tight-aggressive": Player(BY_TABLE, styles.mind_of(styles.TIGHT_AGGRESSIVE)),
    "tight-passive": Player(BY_TABLE, styles.mind_of(styles.TIGHT_PASSIVE)),
}


@kernel
def decide(kind: int, view: Any, mind: Any, tables: Any, words: Any) -> int:
    if kind == BY_TABLE:
        return styles.by_table(view, mind, words)
    if kind == BY_GENES:
        return by_genes(view, mind, tables, words)
    if kind == BY_EQUILIBRIUM:
        return equilibrium.between_two(view, mind, tables, words)
    return adaptive.by_value(view, mind, words)


@kernel
def play_hands(
    setup: Any, kinds: Any, minds: Any, tables: Any, parent: Any, hands: int, large: float, won: Any
) -> bool:
    """Let the players sit in turn in every seat, and add up what each wins; False if somebody breaks the rules.

    Amounts much larger than `large` count as that, so that breeding does not hang on a few huge pots.
    """
    seats, seen = setup[0], np.empty(SIZE, np.int64)
    dealer, words = np.empty(4, np.uint64), np.empty(4, np.uint64)
    for hand in range(hands):
        fork(parent, 2 * hand, dealer)
        fork(parent, 2 * hand + 1, words)
        data, deck = start(setup), FULL_DECK
        while data[STREET] != DONE:
            if to_be_dealt(data):
                action = card_at(deck, below(dealer, 52 - data[DEALT]))
                deck ^= 1 << action
            else:
                player = (data[ACTOR] + hand) % seats
                show_to(data, data[ACTOR], seen)
                action = decide(kinds[player], seen, minds[player], tables, words)
                if not allowed(data, action):
                    return False
            apply(data, action)
        taken = winnings(data)
        for seat in range(data[SEATS]):
            player, payoff = (seat + hand) % seats, float(taken[seat] - data[PAID + seat] - data[ANTES + seat])
            won[player] += payoff / math.sqrt(1 + (payoff / large) ** 2)
            if kinds[player] == LEARNING:
                show_to(data, seat, seen)
                adaptive.adapt(seen, payoff, minds[player])
    return True


def results(
    game: FiveCardDraw, table: Sequence[Player], shared: Tables, parent: Any, hands: int, large: float = AS_THEY_ARE
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each player wins a hand at this table, and their minds afterwards."""
    kinds, won = np.array([player.kind for player in table]), np.zeros(len(table))
    minds = np.zeros((len(table), max(player.mind.size for player in table)))
    for row, player in zip(minds, table, strict=True):
        row[: player.mind.size] = player.mind
    setup = FiveCardDraw(seats=len(table), stack=game.stack, ante=game.ante, trade=game.trade, passes=game.passes)
    if not play_hands(setup.setup(), kinds, minds, shared, parent, hands, large, won):
        raise AssertionError("a player in training broke the rules")
    return won / hands, minds


def no_tables() -> Tables:
    """For tables at which nobody plays by genes."""
    return Tables(np.zeros(0), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class Trial:
    """A table at which a strategy is tried: who else sits there, and how much it counts."""

    others: tuple[Player, ...]
    weight: float = 1.0


Made = Callable[[NDArray[np.float64]], Player]
"""The player that some genes make."""


def improved(
    genes: NDArray[np.float64],
    made: Made,
    trials: Sequence[Trial],
    game: FiveCardDraw,
    shared: Tables,
    *,
    spread: NDArray[np.float64] | float,
    rate: float,
    pairs: int,
    hands: int,
    large: float,
    seed: tuple[Any, ...],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The genes after one generation, and what its strategies won on average at each table."""
    noise = np.random.default_rng(seeded(0, *seed)).normal(size=(pairs, genes.size)) * spread
    noise = np.concatenate([noise, -noise])
    parents = [seeded(0, *seed, number) for number in range(len(trials))]

    def scores(deviation: NDArray[np.float64]) -> list[float]:
        player = made(genes + deviation)
        return [
            float(results(game, (player, *trial.others), shared, parent, hands, large)[0][0])
            for trial, parent in zip(trials, parents, strict=True)
        ]

    found = np.array(list(in_order(scores, noise)))
    ranks = found.argsort(axis=0).argsort(axis=0) / (2 * pairs - 1) - 0.5
    pull = ranks @ np.array([trial.weight for trial in trials]) / sum(trial.weight for trial in trials)
    return genes + rate * pull @ noise, found.mean(axis=0)


def player(genes: NDArray[np.float64]) -> Player:
    return Player(BY_GENES, genes)


def between_two(iterations: int) -> Player:
    """Who plays the strategy from regret minimisation."""
    return Player(BY_EQUILIBRIUM, equilibrium.learned(iterations))


def _spread(width: float) -> NDArray[np.float64]:
    """How far each gene is scattered; the largest raise stays what it is."""
    spread = np.full(GENES, width)
    spread[LARGEST] = 0.0
    return spread


def bullies() -> list[NDArray[np.float64]]:
    """Simple ways to run over somebody: to raise always, by little or much; to wait for a hand and bet all; to call."""
    always, never, waits = 10.0, 1e-9, 0.03
    raisers = [simple_genes(always, always, size) for size in (0.3, 1.0, 4.0, OVERBETS)]
    return [
        *raisers,
        simple_genes(waits, waits, OVERBETS),
        simple_genes(always, never, 1.0),
        simple_genes(0.4, 0.4, 4.0),
    ]


OVERBETS = 50.0  # pots that a rival may bet


def rival(
    victim: Player,
    game: FiveCardDraw,
    shared: Tables,
    generations: int,
    hands: int,
    seed: tuple[Any, ...],
) -> NDArray[np.float64]:
    """A strategy that is bred only to beat this player between two, with raises of any size.

    It starts from sensible play or from a bully, whichever wins most.
    """
    starts = [default_genes(OVERBETS), *bullies()]
    trial = partial(results, game, shared=shared, parent=seeded(0, "start", *seed), hands=4 * hands)
    won = [trial((player(each), victim))[0][0] for each in starts]
    found = starts[int(np.argmax(won))]
    found[LARGEST] = math.log(OVERBETS)
    for generation in range(generations):
        found, _ = improved(
            found,
            player,
            [Trial((victim,))],
            game,
            shared,
            spread=_spread(0.3),
            rate=1.0 if generation < generations // 2 else 0.4,
            pairs=8,
            hands=hands,
            large=AS_THEY_ARE,
            seed=("rival", *seed, generation),
        )
    return found


def trained_adaptives(game: FiveCardDraw, shared: Tables, hands: int = 5_000) -> list[Player]:
    """Adaptive players as they are after so many hands at a mixed table and at a table of each style."""
    fresh, found = Player(LEARNING, adaptive.Adaptive().mind(game)), []
    for number, others in enumerate((tuple(STYLES.values()), *((style,) * 4 for style in STYLES.values()))):
        _, minds = results(game, (fresh, *others), shared, seeded(0, "adaptive", number), hands)
        found.append(Player(BY_VALUE, minds[0]))
    return found


LARGE = 150.0  # units
EPOCH = 4  # generations between two survivors


def coevolved(
    game: FiveCardDraw,
    shared: Tables,
    generations: int,
    seed: int = 0,
    *,
    pairs: int = 10,
    hands: int = 1_500,
    report: Callable[[int, int], None] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Genes after so many generations of fighting at tables, and what each generation won at those of the paper."""
    mixed, learned = tuple(STYLES.values()), trained_adaptives(game, shared)
    tables = [Trial((style,) * 4) for style in mixed]
    tables += [Trial(mixed), Trial((learned[0], *mixed[1:])), Trial((*learned[1:3], *mixed[:2]))]
    tables += [Trial((*learned[3:], *mixed[2:])), Trial((learned[0],) * 4)]
    genes = default_genes()
    survivors, won, late = [genes], [], []
    for generation in range(generations):
        if generation % EPOCH == 0 and generation > 0:
            survivors = [*survivors[-3:], genes]
        early = generation < 0.6 * generations
        four = tuple(player(survivors[-1 - i % len(survivors)]) for i in range(4))
        genes, found = improved(
            genes,
            player,
            [*tables, Trial(four, len(tables) / 3)],  # survivors count a third of the others
            game,
            shared,
            spread=_spread(0.25 if early else 0.15),
            rate=0.6 if early else 0.3,
            pairs=pairs,
            hands=hands,
            large=LARGE,
            seed=("fight", seed, generation),
        )
        won.append(found[: len(tables)])
        if generation >= 0.7 * generations:
            late.append(genes)
        if report:
            report(generation + 1, generations)
    if late:
        genes = np.mean(late, axis=0)  # less of the last deals' luck
    return genes, np.array(won).reshape(generations, len(tables))

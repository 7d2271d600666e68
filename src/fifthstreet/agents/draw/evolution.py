"""Evolution at the table: strategies play the same deals, and those that win more shape the next generation.

`improved` is an evolution strategy (Rechenberg; in this form Wierstra and others, 2014): a generation of strategies
is scattered around one, in pairs of opposite deviations, and it moves towards those that did well, by rank, at each
table.
`coevolved` lets strategies fight to survive: the strategy being improved meets the paper's players and survivors of
earlier generations. A `rival` is bred only to beat one player heads-up.
"""

import dataclasses
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.draw import adaptive, equilibrium, styles
from fifthstreet.agents.draw.equilibrium import Known
from fifthstreet.agents.draw.genes import GENES, LARGEST, Tables, by_genes, default_genes, simple_genes
from fifthstreet.games.five_card_draw import DrawState, DrawView, FiveCardDraw
from fifthstreet.games.game import Mind
from fifthstreet.games.table import Brains, Scratch
from fifthstreet.kernel import kernel
from fifthstreet.learned.steps import State, in_steps
from fifthstreet.parallel import in_order
from fifthstreet.record import one_record
from fifthstreet.rng import RngState, fork, seeded

BY_TABLE, BY_VALUE, LEARNING, BY_GENES, BY_EQUILIBRIUM = range(5)  # kinds of players
AS_THEY_ARE = 1e12  # so large that every amount counts in full


@dataclass(frozen=True)
class Player:
    """A player at a training table: how it decides, and with what numbers."""

    kind: int
    mind: Mind


STYLES = {
    "loose-aggressive": Player(BY_TABLE, styles.mind_of(styles.LOOSE_AGGRESSIVE)),
    "loose-passive": Player(BY_TABLE, styles.mind_of(styles.LOOSE_PASSIVE)),
    "tight-aggressive": Player(BY_TABLE, styles.mind_of(styles.TIGHT_AGGRESSIVE)),
    "tight-passive": Player(BY_TABLE, styles.mind_of(styles.TIGHT_PASSIVE)),
}


class Players(NamedTuple):
    """The players at a compiled training table."""

    kinds: NDArray[np.int64]
    minds: NDArray[np.float64]  # one row each
    tables: Tables
    scratch: Sequence[Known]


@kernel
def decide(players: Players, player: int, view: DrawView, rngs: Sequence[RngState]) -> int:
    kind, mind, rng = players.kinds[player], players.minds[player], rngs[0]
    if kind == BY_TABLE:
        return styles.by_table(view, mind, rng)
    if kind == BY_GENES:
        return by_genes(view, mind, players.tables, rng)
    if kind == BY_EQUILIBRIUM:
        return equilibrium.heads_up(view, mind, players.tables, players.scratch, rng)
    return adaptive.by_value(view, mind, rng)


@kernel
def learn(players: Players, player: int, view: DrawView, payoff: float) -> None:
    adaptive.adapt(view, payoff, players.minds[player])


play_deal = FiveCardDraw.rules.deal_player(Brains(decide, learn))
STATE, VIEW, KNOWN = DrawState.dtype, DrawView.dtype, Known.dtype


@kernel
def play_hands(
    parent: RngState,
    start: DrawState,
    kinds: NDArray[np.int64],
    minds: NDArray[np.float64],
    tables: Tables,
    hands: int,
    large: float,
    won: NDArray[np.float64],
) -> bool:
    """Let the players sit in every seat in turn, and add what each wins to `won`; False if one broke the rules.

    Amounts much larger than `large` count as that, so that breeding does not hang on a few huge pots.
    """
    seats = kinds.size
    players, order = Players(kinds, minds, tables, one_record(KNOWN)), np.empty(seats, np.int64)
    rngs, payoffs = np.empty((1, 4), np.uint64), np.empty(seats)  # one stream for all players
    learning = (kinds == LEARNING).astype(np.int64)
    scratch = Scratch(one_record(STATE), one_record(VIEW), np.empty(4, np.uint64), rngs, payoffs, learning)
    for hand in range(hands):
        fork(parent, 2 * hand, scratch.dealer)
        fork(parent, 2 * hand + 1, rngs[0])
        for seat in range(seats):
            order[seat] = (seat + hand) % seats
        if not play_deal(start, order, players, scratch):
            return False
        for seat in range(seats):
            won[order[seat]] += payoffs[seat] / math.sqrt(1 + (payoffs[seat] / large) ** 2)
    return True


def results(
    game: FiveCardDraw,
    table: Sequence[Player],
    shared: Tables,
    parent: RngState,
    hands: int,
    large: float = AS_THEY_ARE,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What each player wins a hand at this table, and their minds afterwards."""
    kinds, won = np.array([player.kind for player in table]), np.zeros(len(table))
    minds = np.zeros((len(table), max(player.mind.size for player in table)))
    for row, player in zip(minds, table, strict=True):
        row[: player.mind.size] = player.mind
    start = dataclasses.replace(game, seats=len(table), stakes=None).start()
    if not play_hands(parent, start, kinds, minds, shared, hands, large, won):
        raise AssertionError("a player in training broke the rules")
    return won / hands, minds


def no_tables() -> Tables:
    """Empty tables, for players who need none."""
    return Tables(np.zeros(0), np.zeros(0), np.zeros(0))


@dataclass(frozen=True)
class Trial:
    """A table at which a strategy is tried: the opponents, and how much the result counts."""

    others: tuple[Player, ...]
    weight: float = 1.0


Made = Callable[[NDArray[np.float64]], Player]
"""Makes a player from genes."""


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
    scores = partial(_scores, genes, made, trials, game, shared, hands, large, seed)
    found = np.array(list(in_order(scores, noise)))
    ranks = found.argsort(axis=0).argsort(axis=0) / (2 * pairs - 1) - 0.5
    pull = ranks @ np.array([trial.weight for trial in trials]) / sum(trial.weight for trial in trials)
    return genes + rate * pull @ noise, found.mean(axis=0)


def _scores(
    genes: NDArray[np.float64],
    made: Made,
    trials: Sequence[Trial],
    game: FiveCardDraw,
    shared: Tables,
    hands: int,
    large: float,
    seed: tuple[Any, ...],
    deviation: NDArray[np.float64],
) -> list[float]:
    """What the strategy with genes so far from these wins at each table."""
    tried = made(genes + deviation)
    return [
        float(results(game, (tried, *trial.others), shared, seeded(0, *seed, number), hands, large)[0][0])
        for number, trial in enumerate(trials)
    ]


def player(genes: NDArray[np.float64]) -> Player:
    return Player(BY_GENES, genes)


def heads_up(iterations: int) -> Player:
    """The player with the strategy that regret minimisation learns in this many deals."""
    return Player(BY_EQUILIBRIUM, equilibrium.learned(iterations))


def _spread(width: float) -> NDArray[np.float64]:
    """How far each gene is scattered; the largest raise is fixed."""
    spread = np.full(GENES, width)
    spread[LARGEST] = 0.0
    return spread


def bullies() -> list[NDArray[np.float64]]:
    """Genes of simple exploiters: always raise, by little or much; wait for a hand and bet it all; always call."""
    always, never, waits = 10.0, 1e-9, 0.03
    raisers = [simple_genes(always, always, size) for size in (0.3, 1.0, 4.0, OVERBETS)]
    return [
        *raisers,
        simple_genes(waits, waits, OVERBETS),
        simple_genes(always, never, 1.0),
        simple_genes(0.4, 0.4, 4.0),
    ]


OVERBETS = 50.0  # pots that a rival may bet; set by hand


def rival(
    victim: Player,
    game: FiveCardDraw,
    shared: Tables,
    generations: int,
    hands: int,
    seed: tuple[Any, ...],
) -> NDArray[np.float64]:
    """The genes of a strategy bred only to beat this player heads-up, with raises of any size.

    Breeding starts from sensible play or from a bully, from the one that wins most.
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


OF_CLASSES = adaptive.Adaptive(hands="classes", credit="final", wins="called", lessons="meant")
"""The learning player that strategies are bred against: it tells 93 classes of hands apart."""


def trained_adaptives(game: FiveCardDraw, shared: Tables, hands: int = 5_000) -> list[Player]:
    """Adaptive players after this many hands at a mixed table and at a table of each style."""
    fresh, found = Player(LEARNING, OF_CLASSES.mind(game)), []
    for number, others in enumerate((tuple(STYLES.values()), *((style,) * 4 for style in STYLES.values()))):
        _, minds = results(game, (fresh, *others), shared, seeded(0, "adaptive", number), hands)
        found.append(Player(BY_VALUE, minds[0]))
    return found


LARGE = 150.0  # units from which on a win counts for less in breeding; set by hand
EPOCH = 4  # generations from one survivor to the next


def coevolved(
    game: FiveCardDraw,
    shared: Tables,
    generations: int,
    seed: int = 0,
    *,
    pairs: int = 10,
    hands: int = 1_500,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Genes after this many generations of fighting, and what each generation won at the tables of the paper."""
    mixed, learned = tuple(STYLES.values()), trained_adaptives(game, shared)
    tables = [Trial((style,) * 4) for style in mixed]
    tables += [Trial(mixed), Trial((learned[0], *mixed[1:])), Trial((*learned[1:3], *mixed[:2]))]
    tables += [Trial((*learned[3:], *mixed[2:])), Trial((learned[0],) * 4)]

    def fight(generation: int, state: State) -> State:
        genes, survivors, won, late = (state[name] for name in ("genes", "survivors", "won", "late"))
        if generation % EPOCH == 0 and generation > 0:
            survivors = np.array([*survivors[-3:], genes])
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
        if generation >= 0.7 * generations:
            late = np.array([*late, genes])
        won = np.array([*won, found[: len(tables)]])
        return {"genes": genes, "survivors": survivors, "won": won, "late": late}

    def start() -> State:
        genes = default_genes()
        return {"genes": genes, "survivors": genes[None], "won": np.zeros((0, len(tables))), "late": genes[:0, None]}

    state = in_steps("breeding the champion of five-card draw", generations, start, fight)
    late, won = state["late"], state["won"]
    return (late.mean(axis=0) if len(late) else state["genes"]), won  # the mean has less of the last deals' luck

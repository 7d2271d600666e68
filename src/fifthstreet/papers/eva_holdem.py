"""A Monte-Carlo agent based on economic value added, by Xue, Hu, Kong and Gao.

The report prints no results, only that the agent "has shown promising performance". Here it plays every other agent,
heads-up and six-handed, under each interpretation of the sentence that is cut off; its probabilities (§3.1.1, §4.1) are
compared with true ones, enumeration with sampling (§4.3), and the appendix's scores with what they are to predict.

Where the report calls something a probability, it is expected to be one within the error of its own 1,000 samples,
which is at most 0.5/√1000 = 0.016.
"""

import math
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet import cache
from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Agent, Turn
from fifthstreet.agents.holdem import eva
from fifthstreet.arena.match import MatchResult, match
from fifthstreet.arena.play import play
from fifthstreet.arena.seeds import Seeds
from fifthstreet.cards import show
from fifthstreet.estimate import Estimate, bounded_mean, mean
from fifthstreet.evaluation.equity import equity
from fifthstreet.evaluation.preflop import DEALS_AGAINST_ONE, against_one, class_number
from fifthstreet.evaluation.ranges import CLASSES, combos_of
from fifthstreet.evaluation.starting import combos_by_class, count_boards
from fifthstreet.games.betting import CALL, FOLD
from fifthstreet.games.game import CHANCE
from fifthstreet.games.holdem import Holdem, HoldemView
from fifthstreet.papers.paper import Between, Claim, Experiment, Measure, Paper, Run, Table, TableResult, exactly
from fifthstreet.rng import stream

POOLS = {"net": "eva", "growing": "eva:pool=growing", "fixed": "eva:pool=fixed"}
RULES = {
    "net, factor when all-in": "eva:caution=factor",
    "net, no rule on risk": "eva:caution=none",
    "growing, no rule on risk": "eva:pool=growing,caution=none",
    "fixed, factor when all-in": "eva:pool=fixed,caution=factor",
}
RANKINGS = {"net, appendix by segments": "eva:ranking=expectation", "net, appendix's score": "eva:ranking=score"}
VARIANTS = POOLS | RULES | RANKINGS
OTHERS = (
    "random",
    "call-station",
    "always-raise",
    "honest",
    "tight-aggressive",
    "power-ranking",
    "hand-strength",
    "improved-hand-strength",
    "opponent-model",
)
MIXED = ("tight-aggressive", "honest", "hand-strength", "opponent-model", "power-ranking")
STREETS = ("preflop", "flop", "turn", "river")
BIG_BLIND = 2
UNIT = 50  # deals for which an opponent model keeps what it learns
SAMPLES = 1_000  # in the report
ERROR = 0.5 / math.sqrt(SAMPLES)
_FORGETS = f"An opponent model starts afresh every {UNIT} deals."
_POOLS = "net: others' calls only; growing: the own bet too; fixed: the same for every action"


def _in_big_blinds(payoff: Estimate) -> str:
    scale = 100 / BIG_BLIND
    return f"{scale * payoff.value:+.0f} ± {scale * payoff.half_width:.0f}"


def _against(players: int) -> Callable[[Run], TableResult]:
    """Return a measurement of each interpretation against each other agent, which fills the rest of the table."""

    def measure(run: Run) -> TableResult:
        deals = {"quick": {2: 20, 6: 5}, "paper": {2: 1_500, 6: 200}}[run.scale][players]
        others = OTHERS if run.scale == "paper" else OTHERS[1:3]
        rows, played = [], 0
        for other in others:
            cells = []
            for variant in POOLS.values():
                found = match(
                    "holdem", [variant, *[other] * (players - 1)], deals, run.seed, unit=min(UNIT, deals // 5)
                )
                cells.append(_in_big_blinds(found.standings[0].payoff))
                played += 1
                if run.report:
                    run.report(played, len(others) * len(POOLS))
            rows.append((other, *cells))
        who = "one of them" if players == 2 else f"{players - 1} of them"
        return TableResult(
            ("against", *POOLS),
            tuple(rows),
            note=f"bb/100 against {who} by what is in the pool ({_POOLS}), with the 95 % interval; everyone starts "
            f"each hand with 100 big blinds; {deals:,} deals, each from {players} seatings. {_FORGETS}",
        )

    return measure


def _at_mixed_table(name: str) -> Experiment[MatchResult]:
    return Experiment(
        f"the mixed table ({name})",
        "deals",
        lambda run, deals: match("holdem", [VARIANTS[name], *MIXED], deals, run.seed, unit=UNIT, report=run.report),
        quick=(3 * UNIT, 192 * UNIT),
        paper=(20 * UNIT, 640 * UNIT),
    )


AT_MIXED_TABLE = {name: _at_mixed_table(name) for name in VARIANTS}


def _mixed_table(run: Run) -> TableResult:
    names = list(VARIANTS if run.scale == "paper" else POOLS)
    found = {name: run.play(AT_MIXED_TABLE[name]) for name in names}
    return TableResult(
        ("eva's interpretation", "deals", "eva", *MIXED),
        tuple(
            (name, f"{result.deals:,}", *(_in_big_blinds(s.payoff) for s in result.standings))
            for name, result in found.items()
        ),
        note=f"bb/100 with 95 % intervals, every deal from 6 seatings. {_FORGETS} {_POOLS}. Unless it says otherwise, "
        "raises that cost more than 30 % of the chips behind need a probability of 60 %.",
    )


def _wins(name: str) -> Measure:
    return lambda run: run.play(AT_MIXED_TABLE[name]).standings[0].payoff


# Sunk costs.


def _duel(name: str, first: str, second: str) -> Experiment[MatchResult]:
    return Experiment(
        name,
        "deals",
        lambda run, deals: match("holdem", [first, second], deals, run.seed, report=run.report),
        quick=(100, 12_800),
        paper=(2_000, 64_000),
    )


SUNK = {
    name: _duel(f"EVA against its double that counts sunk costs ({name})", spec, f"{spec},invested=hand")
    for name, spec in {"net": "eva:pool=net", "growing": POOLS["growing"], "fixed": POOLS["fixed"]}.items()
}
NEW_CHIPS = _duel("EVA that counts new chips only against EVA", "eva:invested=new", "eva")


def _ahead(duel: Experiment[MatchResult]) -> Measure:
    return lambda run: run.play(duel).standings[0].payoff


# Decisions at the mixed table.


class Decisions(NamedTuple):
    """What was seen of the agent's decisions in some hands at the mixed table."""

    by_sunk_cost: NDArray[np.bool_]  # after the flop, whether it changes with what the player paid on earlier streets
    by_samples: NDArray[np.float64]  # for each decision, whether 100 times as many samples change it
    called: NDArray[np.float64]  # for each bet or raise, the share of the opponents to act who did not fold


def _decisions(run: Run, hands: int) -> Decisions:
    game, agents = Holdem(seats=6), [agent_named(name, "holdem") for name in ("eva", *MIXED)]
    precise = agent_named(f"eva:samples={100 * SAMPLES}", "holdem")
    minds, seeds = [agent.mind(game) for agent in agents], Seeds.of(run.seed, 6)
    by_sunk_cost, by_samples, called = [], [], []
    for number in range(hands):
        order = np.roll(np.arange(6), number)
        dealer, streams = seeds.for_deal(number)
        record = play(*(game, [agents[i] for i in order], dealer, streams, [minds[i] for i in order]))
        me, state = order.tolist().index(0), game.start()
        answers: list[bool] | None = None
        for step in record.steps:
            if answers is not None and step.seat in (CHANCE, me):
                called.append(float(np.mean(answers)))
                answers = None
            if answers is not None:
                answers.append(step.action != FOLD)
            if step.seat == me:
                view = game.view(state, me)
                for sunk in _with_other_sunk_costs(view):
                    before, after = (_decided(game, agents[0], each, number) for each in (view, sunk))
                    by_sunk_cost.append(before != after)
                by_samples.append(_decided(game, agents[0], view, number) != _decided(game, precise, view, number))
                if step.action > CALL and _others_to_act(view):
                    answers = []
            state = game.after(state, step.action)
        if answers:
            called.append(float(np.mean(answers)))
        if run.report:
            run.report(number + 1, hands)
    return Decisions(np.array(by_sunk_cost, bool), np.array(by_samples, float), np.array(called))


def _others_to_act(view: HoldemView) -> bool:
    return any(view.stacks[seat] and not view.folded[seat] for seat in range(view.seats) if seat != view.seat)


def _with_other_sunk_costs(view: HoldemView) -> Iterator[HoldemView]:
    """The same pot, of which the player itself has paid more on earlier streets, or nothing."""
    if view.street > 0:
        for paid in (0, view.pot - int(sum(view.bets))):
            other = view.thaw()
            other.wagered[view.seat] = view.bets[view.seat] + paid
            yield other.freeze()


def _decided(game: Holdem, agent: Agent, view: HoldemView, number: int) -> int:
    turn = Turn(game, view, game.choices(view), stream(number, "again"), agent.mind(game))
    return int(agent.decide(turn).action)


def _by_sunk_cost(run: Run) -> Estimate:
    changed = run.play(DECISIONS).by_sunk_cost
    return Estimate.exact(int(changed.sum()), changed.size)


DECISIONS = Experiment("hands at the mixed table", "hands", _decisions, quick=(40, 1_280), paper=(1_000, 4_000))


def _first_decisions(run: Run) -> TableResult:
    """Return how often each interpretation folds, calls, raises or goes all-in when it acts first in a hand."""
    hands, rows = 300 if run.scale == "paper" else 60, []
    variants = {name: f"{spec}{',' if ':' in spec else ':'}caution=none" for name, spec in POOLS.items()} | {
        "net, limit on risk": "eva"
    }
    for seats in (2, 6):
        game, seeds = Holdem(seats=seats), Seeds.of(0, seats)
        for name, spec in variants.items():
            agent = agent_named(spec, "holdem")
            mind, done = agent.mind(game), {"fold": 0, "call": 0, "raise": 0, "all-in": 0}
            for number in range(hands):
                dealer, streams = seeds.for_deal(number)
                state = game.start()
                while (seat := game.to_act(state)) == CHANCE:
                    state, _ = game.deal(state, dealer)
                assert seat is not None
                choices = game.choices(state)
                action = agent.decide(Turn(game, game.view(state, seat), choices, streams[seat], mind)).action
                done["all-in" if action == choices[-1] else ("fold", "call", "raise")[min(action, 1) + 1]] += 1
            rows.append((f"{seats} players", name, *(f"{count}" for count in done.values())))
    return TableResult(
        ("table", "pool", "fold", "call", "raise", "all-in"),
        tuple(rows),
        note=f"{hands:,} hands each, without a rule on risk unless it is named. {_POOLS}. The value is linear in the "
        "bet: it rises with the bet if P is above a threshold, and the agent moves all-in, or falls, and it calls or "
        "folds. Heads-up the threshold is 1/3 if the pool grows and 1/2 if it is net; if it is fixed the value always "
        "falls.",
    )


# Probabilities at random spots.


class Spots(NamedTuple):
    """Random hands on random boards; a row for each spot, a column for each street."""

    one: NDArray[np.float64]  # P(better than one opponent) as §4.1 computes it, without sampling error after the flop
    sampled: NDArray[np.float64]  # the same with 1,000 samples of the opponent's hand
    both: NDArray[np.float64]  # the same with the own board sampled too
    wins: NDArray[np.float64]  # the true probability
    ties: NDArray[np.float64]  # and that of a tie
    score: NDArray[np.float64]  # the appendix's expected score; before the flop the rank of the starting hand
    segments: NDArray[np.float64]  # the probability that the appendix makes of it
    halves: NDArray[np.float64]  # two independent estimates of beating n opponents: spot, street, half, n


MOST_OPPONENTS, DEALS = 9, 3_000


def _spots(run: Run, size: int) -> Spots:
    rows = []
    for number in range(size):
        rows.append([_spot(view, run.seed, number) for view in _views(run.seed, number)])
        if run.report:
            run.report(number + 1, size)
    return Spots(*(np.array([[spot[i] for spot in row] for row in rows]) for i in range(8)))


SPOTS = Experiment("random hands and boards", "spots on every street", _spots, quick=(8, 256), paper=(250, 500))


def _views(seed: int, number: int) -> Iterator[HoldemView]:
    """The view of a random hand on each street where everyone has checked."""
    game = Holdem(seats=2)
    rng, state = stream(seed, "spots", number), game.start()
    for cards in (0, 3, 4, 5):
        while len(state.board_cards) < cards or game.to_act(state) == CHANCE:
            state = game.deal(state, rng)[0] if game.to_act(state) == CHANCE else game.after(state, CALL)
        yield game.view(state, 0)


def _spot(view: HoldemView, seed: int, number: int) -> tuple[object, ...]:
    game, rng = Holdem(seats=2), stream(seed, "spot", number, view.street).state
    minds = [
        agent_named(f"eva:{given}", "holdem").mind(game)
        for given in (f"samples={SAMPLES}", "ranking=score", "ranking=expectation", f"samples={100 * SAMPLES}")
    ]
    sampled, score, segments = (eva.better_than_one(view, mind, rng) for mind in minds[:3])
    if view.street == 0:
        counted, hand = against_one(), class_number(*map(int, view.hand(0)))
        wins, ties = (counts[hand] / DEALS_AGAINST_ONE for counts in (counted[0], counted[2]))
        one = eva.better_than_one(view, minds[3], rng)
    else:
        found = equity([show(view.hand(0)), "random"], show(view.board_cards), exact=True)
        wins, ties = (count / found.deals for count in (found.players[0].wins, found.players[0].ties))
        worse = np.zeros(eva.WIDTH + 1, np.int32)
        one = eva.mean_over_boards(view, worse) / count if (count := eva.enumerate_opponent(view, worse)) else 0.0
    halves = np.zeros((2, MOST_OPPONENTS + 1), np.int64)
    for half in halves:
        eva.count_beaten(view, DEALS, rng, half)
    return one, sampled, eva.both_sampled(view, SAMPLES, rng), wins, ties, score, segments, halves / DEALS


def _root(squares: NDArray[np.float64]) -> Estimate:
    """The root of a mean square, from unbiased estimates of the square, one for each independent spot."""
    found = mean(squares)
    value, low, high = (math.sqrt(max(0.0, number)) for number in (found.value, found.low, found.high))
    return Estimate(value, low, high, found.count)


def _product_error(one: str, opponents: int, streets: slice = slice(None)) -> Measure:
    """Return the error of the product over this many opponents, where P(better than one) is one of the columns."""

    def measure(run: Run) -> Estimate:
        spots = run.play(SPOTS)
        product = getattr(spots, one)[:, streets] ** opponents
        first, second = (spots.halves[:, streets, half, opponents] for half in range(2))
        return _root(((product - first) * (product - second)).mean(axis=1))

    return measure


def _error(column: str, of: str = "wins", streets: slice = slice(None)) -> Measure:
    """Return the error of one column against another, over the spots on these streets."""

    def measure(run: Run) -> Estimate:
        spots = run.play(SPOTS)
        return _root(((getattr(spots, column) - getattr(spots, of))[:, streets] ** 2).mean(axis=1))

    return measure


def _ties(run: Run) -> Estimate:
    return mean(run.play(SPOTS).ties.mean(axis=1))


def _enumerating_is_more_accurate(run: Run) -> Estimate:
    """Return how much smaller the mean square error is if the own cards to come are enumerated, on flop and turn."""
    spots = run.play(SPOTS)
    with_own, without = ((column - spots.one)[:, 1:3] ** 2 for column in (spots.sampled, spots.both))
    return mean((without - with_own).mean(axis=1))


def _low_scores(run: Run) -> Estimate:
    """Return the error of the segments where the expected score is below one half, after the flop."""
    spots = run.play(SPOTS)
    low = spots.score[:, 1:] < 0.5
    squares, counts = (low * (spots.segments - spots.wins)[:, 1:] ** 2).sum(axis=1), low.sum(axis=1)
    return _root(squares[counts > 0] / counts[counts > 0])


def _products(run: Run) -> TableResult:
    spots, rows = run.play(SPOTS), []
    for opponents in (1, 2, 3, 5, 9):
        for number, street in enumerate(STREETS):
            at = slice(number, number + 1)
            true = spots.halves[:, number, :, opponents].mean()
            bias = mean((spots.one[:, number] ** opponents) - spots.halves[:, number, :, opponents].mean(axis=1))
            errors = [_product_error(one, opponents, at)(run) for one in ("one", "wins")]
            cells = [f"{error.value:.3f} [{error.low:.3f}, {error.high:.3f}]" for error in errors]
            rows.append((f"{opponents}", street, f"{true:.3f}", f"{bias.value:+.3f} ± {bias.half_width:.3f}", *cells))
    return TableResult(
        ("opponents", "street", "true mean", "product too high by", "error of the product", "with the true P of one"),
        tuple(rows),
        note=f"The probability of beating all opponents, over {len(spots.one):,} random spots per street, with 95 % "
        "intervals; errors are root mean squares. The product is that of §3.1.1 with P as §4.1 computes it, which "
        "deals the player and the opponent different boards; in the last column P is the true probability of beating "
        "one, so that only the assumption of independence is left.",
    )


def _accuracy(run: Run) -> TableResult:
    spots, rows = run.play(SPOTS), []
    for number, street in enumerate(STREETS):
        at = slice(number, number + 1)
        for name, column in (("opponent sampled 1,000 times", "sampled"), ("both sampled 1,000 times", "both")):
            errors = [_error(column, of, at)(run) for of in ("one", "wins")]
            rows.append((street, name, *(f"{error.value:.4f} ± {error.half_width:.4f}" for error in errors)))
        rows.append((street, "both enumerated", "0", f"{_error('one', streets=at)(run).value:.4f}"))
    return TableResult(
        ("street", "method", "error against exact §4.1", "error against the true probability"),
        tuple(rows),
        note=f"Root mean squares over {len(spots.one):,} random spots per street, with 95 % intervals. §4.1 deals the "
        "player and the opponent different boards, so even its exact value is not the probability of beating one. "
        "Before the flop 100,000 samples of the opponent stand for its exact value.",
    )


def _appendix(run: Run) -> TableResult:
    spots, rows = run.play(SPOTS), []
    for number, street in enumerate(STREETS):
        at = slice(number, number + 1)
        scores = _expectations_of_combos() if number == 0 else spots.score[:, number]
        low, high = np.quantile(scores, (0.05, 0.95))
        errors = [_error(column, streets=at)(run) for column in ("score", "segments")]
        cells = [f"{error.value:.3f} [{error.low:.3f}, {error.high:.3f}]" for error in errors]
        cells[0] = "" if number == 0 else cells[0]
        rows.append((street, f"{scores.std():.3f}", f"{low:.2f} to {high:.2f}", *cells))
    return TableResult(
        ("street", "spread of expected scores", "nine in ten", "error of the score", "error of the segments"),
        tuple(rows),
        note=f"Over {len(spots.one):,} random spots per street; the errors are root mean squares against the true "
        "probability of beating one opponent, with 95 % intervals. The spread is a standard deviation; that of a "
        "number that is equally likely anywhere from 0 to 1 is 0.289. Before the flop the rank of the starting hand "
        "takes the place of the segments.",
    )


# What is counted exactly, and what is timed.


def _expectations_of_combos() -> NDArray[np.float64]:
    """The expected score of each of the 1,326 starting hands."""
    return np.repeat(eva.expectations(), combos_by_class())


def _classes(run: Run) -> Estimate:
    """Return how many of the 1,326 starting hands are different if suits can be renamed."""
    forms = {(max(a, b) >> 2, min(a, b) >> 2, a & 3 == b & 3) for a in range(52) for b in range(a)}
    return Estimate.exact(len(forms), 1326)


def _offsuit_classes(run: Run) -> Estimate:
    return Estimate.exact(len({(a >> 2, b >> 2) for a in range(52) for b in range(a) if a & 3 != b & 3}), 1326)


def _fewer_boards(run: Run) -> Estimate:
    """Return how many times more cards there are to enumerate for an opponent than for the player, at the least."""
    unseen = [50 - known for known in (0, 3, 4, 5)]
    ratios = [math.comb(size, 2 + size - 45) / math.comb(size, size - 45) for size in unseen]
    return Estimate.exact(min(ratios), len(ratios))


def _without_bayes(run: Run) -> Estimate:
    """Return by how much at most the rank of a starting hand changes if the opponent cannot hold the same cards."""
    scores, ranks, worst = eva.expectations(), eva.class_ranks(), 0.0
    every = [(set(map(int, combo)), scores[i]) for i, name in enumerate(CLASSES) for combo in combos_of(name)]
    for i, name in enumerate(CLASSES):
        mine = set(map(int, combos_of(name)[0]))
        left = np.array([score for cards, score in every if not cards & mine])
        rank = np.mean(left < scores[i] - 1e-12) + np.mean(np.abs(left - scores[i]) <= 1e-12) / 2
        worst = max(worst, abs(float(rank) - ranks[i]))
    return Estimate.exact(worst, len(CLASSES))


def _concentration(run: Run) -> Estimate:
    return Estimate.exact(float(_expectations_of_combos().std()), 1326)


def _milliseconds(work: Callable[[], object]) -> Estimate:
    """The processor time of this thread: the shortest of five, since nothing makes a computation too short."""
    work()
    times = []
    for _ in range(5):
        begin = time.thread_time()
        work()
        times.append(1000 * (time.thread_time() - begin))
    return Estimate(min(times), min(times), float(np.median(times)), len(times))


def _opponents_hands(run: Run) -> Estimate:
    """Return the milliseconds it takes to enumerate an opponent's hands and boards before the flop."""
    (view, *_) = _views(run.seed, 0)
    return _milliseconds(lambda: eva.enumerate_opponent(view, np.zeros(eva.WIDTH + 1, np.int32)))


def _own_boards(run: Run) -> Estimate:
    """Return the milliseconds it takes to enumerate the player's own boards before the flop."""
    return _milliseconds(lambda: count_boards(0, 5, np.zeros(eva.WIDTH, np.int64)))


def _findings(run: Run) -> str:
    won, product = run.play(AT_MIXED_TABLE["net"]), _product_error("one", 5)(run)
    one, sunk, called = _error("one")(run), run.play(SUNK["net"]).standings[0].payoff, run.play(DECISIONS).called
    others = {name: _in_big_blinds(run.play(AT_MIXED_TABLE[name]).standings[0].payoff) for name in ("growing", "fixed")}
    return (
        "The sentence that defines the pool is cut off, and what the agent does depends on it. If the pool does not "
        "depend on the action, it calls with every hand heads-up and never raises; if its own bet is in the pool, it "
        "moves all-in with every hand heads-up unless a rule on risk stops it. Taken as the others' calls alone, it "
        f"wins {_in_big_blinds(won.standings[0].payoff)} bb/100 at a mixed table of six ({others['growing']} with its "
        f"own bet in the pool, {others['fixed']} with a fixed pool). The probability of beating one opponent, "
        f"computed on different boards, is off by {one.value:.3f} (root mean square), and the product over five "
        f"opponents by {product.value:.3f}. Against a double that counts sunk costs it wins {_in_big_blinds(sunk)} "
        f"bb/100 heads-up. Opponents to act call {100 * called.mean():.0f} % of its raises, where the formula assumes "
        f"all. Enumerating the opponent's hands, called impossible, takes {run.once(_opponents_hands).value:.0f} ms "
        "before the flop."
    )


WITHIN = Between(high=ERROR)

PAPER = Paper(
    "eva-holdem",
    "A Monte-Carlo Agent for No-Limit Multiplayer Texas Hold'em Based on Economic Value Added (EVA)",
    "Hongyan Xue, Jingpei Hu, Weihao Kong, Yuncong Gao",
    (
        Table("heads-up", "Heads-up against every other agent", _against(2)),
        Table("six-handed", "Six-handed against five copies of every other agent", _against(6)),
        Table("mixed", "Six-handed with five different agents", _mixed_table),
        Claim(
            "promising",
            "The agent has been tested in a multiplayer environment and has shown promising performance",
            "no number; taken as: it wins chips at the mixed table",
            Between(low=0),
            _wins("net"),
            "Chips per deal.",
            readings={name: _wins(name) for name in VARIANTS if name != "net"},
        ),
        Table("first-decision", "First decisions, by what is in the pool", _first_decisions),
        Claim(
            "every-other-player-calls",
            "The pool is computed assuming that every other player will call (§3.1.2)",
            "all; taken as: at least nine in ten opponents to act do not fold to its bet or raise",
            Between(low=0.9),
            lambda run: bounded_mean(run.play(DECISIONS).called, 0, 1),
        ),
        Table("products", "§3.1.1: the product over opponents", _products),
        Claim(
            "product",
            "The probability of beating every other agent is the product over the opponents (§3.1.1)",
            "equal; taken as: an error of at most 0.016, that of 1,000 samples, at a table of six",
            WITHIN,
            _product_error("one", 5),
            "Root mean square over random spots on all streets.",
            readings={
                "with the true P of one": _product_error("wins", 5),
                "two opponents": _product_error("one", 2),
                "nine opponents": _product_error("one", 9),
            },
        ),
        Claim(
            "probability-of-losing",
            "1 − P is the probability of losing the investment (§3.1.2)",
            "equal; taken as: at most 0.016 of all deals against one opponent are ties",
            WITHIN,
            _ties,
        ),
        Claim(
            "sunk-cost-ignored",
            "The agent completely ignores the previous investments in other rounds (§3.1.2)",
            "none of its decisions depends on them",
            exactly(0),
            _by_sunk_cost,
            "Decisions after the flop that change when all or nothing of the same pot was the player's own.",
        ),
        Claim(
            "sunk-cost",
            "Ignoring sunk costs makes sense economically (§3.1.2)",
            "no number; taken as: it wins chips from a double that counts them, heads-up",
            Between(low=0),
            _ahead(SUNK["net"]),
            "Chips per deal.",
            readings={"growing": _ahead(SUNK["growing"]), "fixed": _ahead(SUNK["fixed"])},
        ),
        Claim(
            "sunk-on-this-street",
            "What was bet earlier on the same street is sunk as well: counting new chips only is better",
            "",
            Between(low=0),
            _ahead(NEW_CHIPS),
            "Chips per deal, heads-up against the agent of the paper.",
            beyond=True,
        ),
        Claim(
            "estimate",
            "The evaluation estimates the probability of having a better hand than an opponent (§4.1)",
            "equal; taken as: an error of at most 0.016, that of 1,000 samples",
            WITHIN,
            _error("one"),
            "Root mean square over random spots on all streets, without sampling error after the flop.",
        ),
        Claim(
            "samples",
            "1,000 samples of the opponent's hand are generated (§4.1)",
            "1,000; taken as: 100,000 would change at most 5 % of the decisions",
            Between(high=0.05),
            lambda run: bounded_mean(run.play(DECISIONS).by_samples, 0, 1),
        ),
        Table("section-4.3", "§4.3: enumeration and sampling", _accuracy),
        Claim(
            "enumeration-impossible",
            "It is impossible to enumerate the opponent's hand: there are just too many combinations (§4.3)",
            "no number; taken as: more than a second per decision, 1,000 ms",
            Between(low=1000),
            _opponents_hands,
            "Milliseconds of processor time before the flop, the largest case: 99,884,400 sets of seven cards. On the "
            "flop there are 178,365 sets of four cards, on the turn 15,180 of three, on the river 990 of two.",
        ),
        Claim(
            "own-enumeration",
            "Enumeration is acceptable for the agent itself (§4.3)",
            "no number; taken as: at most a second per decision, 1,000 ms",
            Between(high=1000),
            _own_boards,
            "Milliseconds of processor time before the flop, the largest case: 2,118,760 boards.",
        ),
        Claim(
            "fewer-combinations",
            "There are far less combinations to explore for the agent itself (§4.3)",
            "no number; taken as: at least ten times fewer on every street",
            Between(low=10),
            _fewer_boards,
        ),
        Claim(
            "own-accuracy",
            "Enumeration is used for the agent itself for accuracy (§4.3)",
            "no number; taken as: the mean square error is smaller than if both are sampled, on flop and turn",
            Between(low=0),
            _enumerating_is_more_accurate,
        ),
        Claim("classes", "All starting hands fall into 169 classes (appendix)", "169", exactly(169), _classes),
        Claim(
            "offsuit-classes",
            "There are 13 × 13 starting hands of different suits (appendix)",
            "13 × 13",
            exactly(169),
            _offsuit_classes,
            "78 of two ranks, and 13 pairs. With 78 suited ones they are the 169 of the appendix's last sentence.",
        ),
        Claim(
            "no-bayes",
            "Ignoring that the own hand affects the others' is acceptable before the flop (appendix)",
            "no number; taken as: no starting hand's rank changes by more than 0.016, the error of 1,000 samples",
            WITHIN,
            _without_bayes,
        ),
        Claim(
            "concentrated",
            "The predictions are too concentrated, so that the probability hardly changes (appendix)",
            "no number; taken as: less than half the spread of numbers from 0 to 1, at most 0.144, before the flop",
            Between(high=1 / math.sqrt(48)),
            _concentration,
        ),
        Claim(
            "segments",
            "Divided into segments, the lower scores predict the probability decently (appendix)",
            "no number; taken as: an error of at most 0.1 after the flop where the score is below 0.5",
            Between(high=0.1),
            _low_scores,
            "Root mean square against the true probability of beating one opponent.",
        ),
        Table("appendix", "The appendix's scores by street", _appendix),
    ),
    readings=(
        "P(better) is the same for every opponent, so their product is a power; only strictly better hands count.",
        "An action's investment is the player's total bet on the street (Figure 1). The sentence that defines the "
        "pool is cut off. The verdicts rest on a net pool: the pot if all others call this action, without the "
        "player's own investment, since §3 speaks of profit and of what the others put in. `growing` has the own bet "
        "in the pool too; `fixed` is the same for every action, as in the authors' programs: the pot, and the highest "
        "bet once more from each opponent.",
        "The report says that other factors limit risk, but not how. Here a raise that costs more than 30 % of the "
        "chips behind is considered only if P is 60 % or more; calls are always considered. In one of the authors' "
        "programs P is multiplied by a factor when somebody is all-in; the mixed table shows that too, and the agent "
        "without any rule.",
        "The appendix's score of a hand is the share of all seven-card hands that are worse. Its division into "
        "segments is taken as 20 equally likely parts of all expected scores on a street, linear in between.",
    ),
    findings=_findings,
    unmeasured=(
        ("It is implemented in C++ for performance considerations", "it is about the authors' program"),
        ("It can be benchmarked against other agents in Python", "it is about the authors' program; here it is Python"),
        (
            "More sophisticated algorithms can be added in the future",
            "it announces work that the report does not describe",
        ),
        ("Both methods of §4.3 have been attempted", "it is about the authors' work"),
        (
            "Low scores are too concentrated before the hands are sorted (appendix)",
            "the table that maps hands to scores is not printed",
        ),
    ),
    key=lambda: cache.key(__file__),
)

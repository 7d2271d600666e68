"""A Monte-Carlo agent based on economic value added, by Xue, Hu, Kong and Gao.

The report prints no results, only that the agent "has shown promising performance". Here it plays every other agent,
heads-up and six-handed, and its estimate of the winning probability (§4.1, §4.3) is compared with the exact one.
"""

import math
import time
from collections.abc import Callable

import numpy as np

from fifthstreet import cache
from fifthstreet.arena.match import MatchResult, match
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.holdem import HoldemView
from fifthstreet.papers.paper import Between, Claim, Paper, Run, Table, TableResult

VARIANTS = {
    "default": "eva",
    "no limit on risk": "eva:risk=1",
    "the appendix's ranking": "eva:ranking=expectation",
}
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
BIG_BLIND = 2
_FORGETS = "An opponent model starts afresh every {:,} deals."


def _deals(run: Run) -> int:
    return 20_000 if run.scale == "paper" else 600


def _against(players: int) -> Callable[[Run], TableResult]:
    """Return a measurement of each variant against each other agent, which fills the rest of the table."""

    def measure(run: Run) -> TableResult:
        deals = max(1, _deals(run) // (players // 2))
        rows, played = [], 0
        for other in OTHERS:
            cells = []
            for variant in VARIANTS.values():
                found = match("holdem", [variant, *[other] * (players - 1)], deals, run.seed, unit=_unit(deals))
                cells.append(_in_big_blinds(found.standings[0].payoff))
                played += 1
                if run.report:
                    run.report(played, len(OTHERS) * len(VARIANTS))
            rows.append((other, *cells))
        who = "one of them" if players == 2 else f"{players - 1} of them"
        return TableResult(
            ("against", *(f"eva, {name}" for name in VARIANTS)),
            tuple(rows),
            note=f"bb/100 against {who}, with the 95 % interval; everyone starts each hand with 100 big blinds; "
            f"{deals:,} deals, each from {players} seatings. {_FORGETS.format(_unit(deals))}",
        )

    return measure


def _unit(deals: int) -> int:
    """Return a unit size that gives agents that learn at least twenty units for their interval."""
    return max(1, min(1000, deals // 20))


def _in_big_blinds(payoff: Estimate) -> str:
    scale = 100 / BIG_BLIND
    return f"{scale * payoff.value:+.0f} ± {scale * payoff.half_width:.0f}"


LIMITS = {"risk 0.1 below 0.8": "eva:risk=0.1,sure=0.8", "risk 0.5 below 0.5": "eva:risk=0.5,sure=0.5"}


def _mixed(run: Run) -> dict[str, MatchResult]:
    """Return the mixed table played with each variant, and with other limits on risk."""
    found: dict[str, MatchResult] = {}
    variants, deals = VARIANTS | LIMITS, _deals(run)
    for name, variant in variants.items():
        found[name] = match("holdem", [variant, *MIXED], deals, run.seed, unit=_unit(deals))
        if run.report:
            run.report(len(found), len(variants))
    return found


def _mixed_table(run: Run) -> TableResult:
    found = run.once(_mixed)
    any_match = next(iter(found.values()))
    return TableResult(
        ("variant", "eva", *MIXED),
        tuple((name, *(_in_big_blinds(s.payoff) for s in result.standings)) for name, result in found.items()),
        note=f"bb/100, {any_match.deals:,} deals, each from {any_match.seatings} seatings, with 95 % "
        f"intervals. {_FORGETS.format(any_match.unit)}",
    )


def _promising(run: Run) -> Estimate:
    return run.once(_mixed)["default"].standings[0].payoff


Spot = tuple[str, HoldemView]


def _spots(run: Run) -> list[Spot]:
    """Return views of random hands on random boards where everyone has checked."""
    from fifthstreet.games.holdem import Holdem
    from fifthstreet.rng import stream

    game = Holdem(seats=2)
    spots = []
    for number in range(300 if run.scale == "paper" else 30):
        rng, state = stream(run.seed, "spots", number), game.start()
        for street, cards in (("flop", 3), ("turn", 4), ("river", 5)):
            while len(state.board_cards) < cards or game.to_act(state) == -1:
                choices = game.choices(state)
                chance = game.to_act(state) == -1
                state = game.after(state, choices[rng.below(len(choices))] if chance else 0)
            spots.append((street, game.view(state, 0)))
    return spots


def _estimates(run: Run) -> dict[tuple[str, str], tuple[list[float], float]]:
    """Return, by street and method, the estimates for all spots and the seconds per estimate."""
    from fifthstreet.agents.holdem import eva
    from fifthstreet.agents.holdem.reading import share_against_random
    from fifthstreet.rng import stream

    rng = stream(run.seed, "estimates").state

    def sampled(view: HoldemView, samples: int) -> float:
        worse = np.zeros(eva.WIDTH + 1, np.int32)
        eva.sample_opponent(view, samples, rng, worse)
        return eva.mean_over_boards(view, worse) / samples

    def enumerated(view: HoldemView) -> float:
        worse = np.zeros(eva.WIDTH + 1, np.int32)
        count = eva.enumerate_opponent(view, worse)
        return eva.mean_over_boards(view, worse) / count

    ways: dict[str, Callable[[HoldemView], float]] = {
        "own enumerated, 1,000 of the opponent's sampled": lambda view: sampled(view, 1000),
        "own enumerated, 100 of the opponent's sampled": lambda view: sampled(view, 100),
        "both sampled, 1,000 times": lambda view: eva.both_sampled(view, 1000, rng),
        "both enumerated": enumerated,
        "one deal for both, sampled 1,000 times": lambda view: share_against_random(view, 1, 1000, rng),
    }
    found: dict[tuple[str, str], tuple[list[float], float]] = {}
    spots = run.once(_spots)
    for number, (name, way) in enumerate(ways.items()):
        for street in ("flop", "turn", "river"):
            views = [view for where, view in spots if where == street]
            way(views[0])
            begin = time.perf_counter()
            values = [way(view) for view in views]
            seconds = (time.perf_counter() - begin) / len(views)
            found[street, name] = values, seconds
        if run.report:
            run.report(number + 1, len(ways))
    return found


def _truth(run: Run) -> list[tuple[str, float]]:
    """Return the exact equity against a random hand in each spot."""
    from fifthstreet.cards import show
    from fifthstreet.evaluation.equity import equity

    found = []
    for street, view in run.once(_spots):
        share = equity([show(view.hand(0)), "random"], show(view.board_cards), exact=True).players[0].share
        found.append((street, share))
    return found


def _accuracy(run: Run) -> TableResult:
    found, truth = run.once(_estimates), run.once(_truth)
    rows = []
    for (street, way), (values, seconds) in found.items():
        exact = np.array(found[street, "both enumerated"][0])
        shares = np.array([share for where, share in truth if where == street])
        off, bias = np.array(values) - exact, np.array(values) - shares
        rms, wrong = math.sqrt(float((off**2).mean())), math.sqrt(float((bias**2).mean()))
        rows.append((street, way, f"{rms:.4f}", f"{wrong:.4f}", f"{1e6 * seconds:,.0f} µs"))
    order = ("flop", "turn", "river")
    rows.sort(key=lambda row: order.index(row[0]))
    return TableResult(
        ("street", "method", "error against exact §4.1", "error against equity", "cost"),
        tuple(rows),
        note=f"Root mean squares over {len(truth) // 3} random spots per street. §4.1 deals the player and the "
        "opponent different boards, so even its exact value is not the hand's equity; dealing one board for both is. "
        "The last method counts ties half, the others as losses.",
    )


def _enumeration_time(run: Run) -> Estimate:
    """Return the milliseconds it takes to enumerate an opponent's hands and boards before the flop."""
    from fifthstreet.agents.holdem import eva
    from fifthstreet.games.holdem import Holdem

    game = Holdem(seats=2)
    state = game.start()
    for card in (51, 50, 0, 5):
        state = game.after(state, card)
    view, times = game.view(state, 0), []
    for _ in range(6):
        worse = np.zeros(eva.WIDTH + 1, np.int32)
        begin = time.perf_counter()
        eva.enumerate_opponent(view, worse)
        times.append(1000 * (time.perf_counter() - begin))
    return mean(times[1:])


def _first_decisions(run: Run) -> TableResult:
    """Return how often each variant folds, calls, raises or goes all-in when it acts first in a hand."""
    from fifthstreet.agents import agent_named
    from fifthstreet.agents.agent import Turn
    from fifthstreet.arena.seeds import Seeds
    from fifthstreet.games.holdem import Holdem

    hands, rows = 2_000 if run.scale == "paper" else 500, []
    for seats in (2, 6):
        game, seeds = Holdem(seats=seats), Seeds.of(run.seed, seats)
        for name, spec in VARIANTS.items():
            agent = agent_named(spec, "holdem")
            mind, done = agent.mind(game), {"fold": 0, "call": 0, "raise": 0, "all-in": 0}
            for number in range(hands):
                dealer, streams = seeds.for_deal(number)
                state = game.start()
                while (seat := game.to_act(state)) == -1:
                    choices = game.choices(state)
                    state = game.after(state, choices[dealer.below(len(choices))])
                assert seat is not None
                choices = game.choices(state)
                action = agent.decide(Turn(game, game.view(state, seat), choices, streams[seat], mind)).action
                done["all-in" if action == choices[-1] else ("fold", "call", "raise")[min(action, 1) + 1]] += 1
            rows.append((f"{seats} players", name, *(f"{100 * count / hands:.0f} %" for count in done.values())))
    return TableResult(
        ("table", "variant", "fold", "call", "raise", "all-in"),
        tuple(rows),
        note=f"{hands:,} hands each. The pool includes the player's own bet, so heads-up the value grows with the bet "
        "as soon as P exceeds 1/3, which it does for nearly every hand before the flop: without a limit on risk the "
        "agent only folds or goes all-in.",
    )


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
            "no number; read as: it wins chips at the mixed table",
            Between(low=0),
            _promising,
            "The result depends on the limit on risk, which the report does not give: see the mixed table.",
        ),
        Table("first-decision", "First decisions, with and without a limit on risk", _first_decisions),
        Table("section-4.3", "§4.3: enumeration and sampling, accuracy and cost", _accuracy),
        Claim(
            "enumeration-impossible",
            "It is impossible to enumerate the opponent's hand: there are just too many combinations (§4.3)",
            "no number; read as: more than a second per decision, 1,000 ms",
            Between(low=1000),
            _enumeration_time,
            "Milliseconds before the flop, the largest case: 99,884,400 sets of seven cards. On the flop there are "
            "178,365 sets of four cards, on the turn 15,180 of three, on the river 990 of two.",
        ),
    ),
    readings=(
        "P(better) is the same for every opponent, so their product is a power; only strictly better hands count.",
        "An action's investment is the player's total bet on the street (Figure 1); the pool is the pot once everybody "
        "else has called.",
        "The report says that risk is limited, but not how. Here an action that costs more than 30 % of the chips "
        "behind is considered only if the hand beats all others with probability 60 % or more; both are parameters.",
        "The appendix's score of a hand is the share of all seven-card hands that are worse.",
    ),
    key=lambda: cache.key(__file__),
)

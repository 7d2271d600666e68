"""Finished boards of Five-O: how strong columns are, whether evaluations predict them, and whether columns depend.

Games are played compiled, and the board of each is noted at its end: rows are filled one after the other, so it shows
every earlier round too. Evaluations are those of the authors' program.
"""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from fifthstreet.agents import agent_named
from fifthstreet.agents.agent import Agent, Turn
from fifthstreet.agents.five_o.boards import Boards, Numbers, differences_of, note_board, strengths_on, values_on
from fifthstreet.agents.five_o.chances import game_chance
from fifthstreet.agents.five_o.states import FAST, LINEAR, MENDED, PRECISE, PROGRAM, ROUGH
from fifthstreet.arena.seeds import Seeds
from fifthstreet.arena.units import Players
from fifthstreet.arena.variance import Reduction
from fifthstreet.estimate import Estimate, mean
from fifthstreet.games.five_o import COLUMNS, ROWS, FiveO, FiveOState
from fifthstreet.games.game import CHANCE
from fifthstreet.papers.five_o.players import NAMES, REFLEX, WHOLE_STATE, by_program
from fifthstreet.papers.paper import (
    Axes,
    Between,
    Claim,
    Experiment,
    Figure,
    FigureResult,
    Item,
    Run,
    Table,
    TableResult,
)
from fifthstreet.rng import Stream, stream


@dataclass(frozen=True)
class FiveOFrom(FiveO):
    """Five-O that begins in the middle of a game."""

    state: FiveOState | None = None

    def start(self) -> FiveOState:
        return super().start() if self.state is None else self.state


def play_boards(game: FiveO, agents: Sequence[Agent], games: int, seed: int) -> Boards:
    """Play this many games, the first agent in the first seat, and return the boards."""
    notes = np.zeros(1 + 50 * games, np.float32)
    players = Players(game, agents, True, Reduction(note_board, notes, 0))
    players.play([(game, np.arange(2))], Seeds.of(seed, 2), 0, np.zeros((games, 2)))
    return notes[1:].reshape(games, 2, COLUMNS, ROWS).astype(np.int64)


def strengths(boards: Boards) -> Numbers:
    out = np.empty(boards.shape[:3])
    strengths_on(boards, out)
    return out


def leads(boards: Boards, rows: int, kind: int) -> Numbers:
    """By how much each column of the first seat is ahead when this many rows are full, by an evaluation."""
    values, out = np.empty(boards.shape[:3]), np.empty((len(boards), COLUMNS))
    values_on(boards, rows, kind, values)
    differences_of(values, kind, out)
    return out


# Figure 3: strengths by sorted column, over games of all against all on the same deals.

Sorted = Mapping[str, Numbers]
"""By player: sorted strengths by deal, game of the deal, and place."""


def _play_figure_3(run: Run, deals: int) -> Sorted:
    interpretation, game = by_program(run), FiveO(draws="second")
    agents = {name: agent_named(interpretation.agent(name), "five-o") for name in NAMES}
    found: dict[str, list[Numbers]] = {name: [] for name in NAMES}
    every = list(permutations(NAMES, 2))
    for number, pair in enumerate(every, 1):
        made = np.sort(strengths(play_boards(game, [agents[name] for name in pair], deals, run.seed)), axis=2)
        for seat, name in enumerate(pair):
            found[name].append(made[:, seat, ::-1])
        if run.report:
            run.report(number, len(every))
    return {name: np.stack(games, axis=1) for name, games in found.items()}


FIGURE_3 = Experiment("Figure 3", "deals, each in 56 games", _play_figure_3, quick=(4, 128), paper=(32, 1_024))


def _figure_3(run: Run) -> FigureResult:
    found = run.play(FIGURE_3)

    def draw(axes: Axes) -> None:
        for name, games in found.items():
            axes.plot(range(1, 6), games.mean(axis=(0, 1)), "o--" if name in REFLEX else "o-", label=name)
        axes.set_xticks(range(1, 6))
        axes.set_xlabel("column, from strongest to weakest")
        axes.set_ylabel("mean strength, 1 to 7,462")
        axes.legend(fontsize="small")

    rows = []
    for name, games in found.items():
        places = [mean(place) for place in games.mean(axis=1).T]
        cells = [f"{place.value:,.0f} ± {place.half_width:,.0f}" for place in places]
        rows.append((name, *cells, f"{games.shape[0] * games.shape[1]:,}"))
    return FigureResult(
        draw,
        "Mean column strength from strongest to weakest, for eight players; reflex players dashed.",
        TableResult(("player", "1st", "2nd", "3rd", "4th", "5th", "games"), tuple(rows)),
        "Each against all others, from both seats, as in the authors' program. Intervals are over deals.",
    )


def _ahead_of_reflex(run: Run, number_of: Any) -> Estimate:
    """By how much whole-state players have more than reflex players of something, on the same deals."""
    found = run.play(FIGURE_3)
    whole, reflex = (
        np.mean([number_of(found[name]).mean(axis=1) for name in some], axis=0) for some in (WHOLE_STATE, REFLEX)
    )
    return mean(whole - reflex)


def _concentration(run: Run) -> Estimate:
    return _ahead_of_reflex(run, lambda games: games[..., :3].mean(axis=2) - games[..., 3:].mean(axis=2))


def _best_columns(run: Run) -> Estimate:
    return _ahead_of_reflex(run, lambda games: games[..., :3].mean(axis=2))


# What evaluations predict, in games of greedy 2 against itself.


def _self_play(run: Run, games: int) -> Boards:
    return play_boards(FiveO(draws="second"), [agent_named("greedy-2:values=program", "five-o")] * 2, games, run.seed)


SELF_PLAY = Experiment("self-play", "games of greedy 2", _self_play, quick=(500, 64_000), paper=(4_000, 64_000))
EVALUATIONS = {"getPackExpect": ROUGH | PROGRAM, "fastEval": FAST | PROGRAM, "eval": PRECISE | PROGRAM}
HALF_WAY = 3  # cards in every column


def _won(boards: Boards) -> Numbers:
    """1 for every column that the first seat wins, 0.5 for a tie, 0 for a loss."""
    made = strengths(boards)
    won: Numbers = (1 + np.sign(made[:, 0] - made[:, 1])) / 2
    return won


def _foreseen(boards: Boards, rows: int, kind: int) -> Numbers:
    """By game, the share of the columns that go to the hand with the higher value; equal values count half."""
    lead, won = np.sign(leads(boards, rows, kind)), _won(boards)
    return np.asarray((0.5 + lead * (won - 0.5)).mean(axis=1))


def _predicts(run: Run, kind: int) -> Estimate:
    return mean(_foreseen(run.play(SELF_PLAY), HALF_WAY, kind))


def _wider_is_surer(run: Run) -> Estimate:
    """How much more often the better hand wins where the difference is in the larger half of all differences."""
    boards = run.play(SELF_PLAY)
    lead, won = leads(boards, HALF_WAY, EVALUATIONS["eval"]), _won(boards)
    right, wide = 0.5 + np.sign(lead) * (won - 0.5), np.abs(lead) > np.median(np.abs(lead))
    return mean(np.mean(2 * right * np.where(wide, 1, -1), axis=1))


def _games_foreseen(boards: Boards, rows: int, kind: int) -> Numbers:
    """1 for every game whose winner had the better state when this many rows were full, 0.5 for an even state."""
    lead = np.sign(leads(boards, rows, kind).sum(axis=1).round(9))
    columns = _won(boards)
    winner = np.where((columns == 1).sum(axis=1) >= 3, 1, -1)
    return np.asarray(0.5 + lead * winner / 2)


def _more_accurate(run: Run, kind: int = PRECISE | PROGRAM) -> Estimate:
    boards = run.play(SELF_PLAY)
    return mean(_games_foreseen(boards, HALF_WAY, kind) - _games_foreseen(boards, HALF_WAY, kind | LINEAR))


def _evaluations(run: Run) -> TableResult:
    boards, rows = run.play(SELF_PLAY), []
    for name, kind in EVALUATIONS.items():
        for full in (2, 3, 4):
            found = [
                mean(_foreseen(boards, full, kind)),
                mean(_games_foreseen(boards, full, kind)),
                mean(_games_foreseen(boards, full, kind | LINEAR)),
            ]
            rows.append(
                (name, f"{full}", *(f"{100 * each.value:.1f} ± {100 * each.half_width:.1f} %" for each in found))
            )
    return TableResult(
        ("evaluation", "cards in a column", "columns", "games", "games, linear"),
        tuple(rows),
        note=f"How often the hand, or the state, that is valued higher wins in the end, in {len(boards):,} games of "
        "greedy 2 against itself. Linear: the sum of the plain differences of the hands.",
    )


# Verdicts on speed rest on the text; it describes getPackExpect in words only, so that is the program's.
TIMED = {"getPackExpect": ROUGH | PROGRAM, "fastEval": FAST, "eval": PRECISE}
TIMED |= {"fastEval, program": FAST | PROGRAM, "eval, program": PRECISE | PROGRAM}


def _timings(run: Run, repeats: int) -> Numbers:
    """Processor time for the same hands, by repeat and evaluation."""
    boards = play_boards(FiveO(), [agent_named("greedy-2", "five-o")] * 2, 400, 0)
    out, found = np.empty(boards.shape[:3]), np.empty((repeats, len(TIMED)))
    for repeat in range(-1, repeats):  # the first compiles
        for number, kind in enumerate(TIMED.values()):
            begin = time.thread_time_ns()
            for _ in range(5):
                for rows in (2, 3, 4):
                    values_on(boards, rows, kind, out)
            if repeat >= 0:
                found[repeat, number] = time.thread_time_ns() - begin
    return found


SPEED = Experiment("evaluation", "timings", _timings, quick=(10, 40), paper=(40, 160))


def _slower(run: Run, slow: str, quick: str) -> Estimate:
    """How many times as long one evaluation takes as another."""
    taken, names = run.play(SPEED), list(TIMED)
    return mean(taken[:, names.index(slow)] / taken[:, names.index(quick)])


# Equation (3): are columns independent when both play well?

PLAYOUTS = 400  # from a position, in two halves


def _position(placed: int, rng: Stream) -> FiveOState:
    """A position that two greedy players reach."""
    game, agent = FiveO(), agent_named("greedy-2", "five-o")
    state, mind = game.start(), agent.mind(game)
    while game.to_act(state) == CHANCE or state.placed < placed:
        seat, choices = game.to_act(state), game.choices(state)
        if seat == CHANCE or seat is None:
            state = game.after(state, choices[rng.below(len(choices))])
        else:
            state = game.after(state, agent.decide(Turn(game, game.view(state, seat), choices, rng, mind)).action)
    return state


def _dependence(run: Run, positions: int) -> Numbers:
    """By position and half of the playouts: the share of games with three columns, and equation (3) of the columns."""
    agents, found = [agent_named("greedy-2", "five-o")] * 2, np.empty((positions, 2, 2))
    for number in range(positions):
        state = _position(10 * (number % 3), stream(run.seed, "dependence", number))
        won = _won(play_boards(FiveOFrom(state=state), agents, PLAYOUTS, number)) == 1
        for half in range(2):
            some = won[half::2]
            found[number, half] = (some.sum(axis=1) >= 3).mean(), game_chance(some.mean(axis=0))
        if run.report:
            run.report(number + 1, positions)
    return found


DEPENDENCE = Experiment("play from positions", "positions", _dependence, quick=(9, 288), paper=(96, 768))


def _root_mean_square(squares: Numbers) -> Estimate:
    found = mean(squares)
    value, low, high = (math.sqrt(max(0.0, end)) for end in (found.value, found.low, found.high))
    return Estimate(value, low, high, found.count)


def _error_of_equation_3(run: Run) -> Estimate:
    """The root mean square error; the product of the errors of two halves has no noise of its own in the mean."""
    found = run.play(DEPENDENCE)
    errors = found[..., 0] - found[..., 1]
    return _root_mean_square(errors[:, 0] * errors[:, 1])


def _equation_3(run: Run) -> TableResult:
    found, rows = run.play(DEPENDENCE), []
    for part, name in enumerate(("the first row", "the second row", "the third row")):
        some = found[part::3]
        errors = some[..., 0] - some[..., 1]
        signed, square = mean(errors.mean(axis=1)), _root_mean_square(errors[:, 0] * errors[:, 1])
        rows.append((name, f"{len(some)}", f"{signed.value:+.4f} ± {signed.half_width:.4f}", str(square)))
    return TableResult(
        ("position after", "positions", "mean error", "root mean square error"),
        tuple(rows),
        note="The share of games in which the first player wins three columns or more, minus equation (3) of the "
        f"shares in which it wins each column: {PLAYOUTS} games of greedy 2 against itself from every position. The "
        "last column is without the sampling noise.",
    )


ITEMS: tuple[Item, ...] = (
    Claim(
        "columns-independent",
        "That columns depend on each other has a small impact on the chance to win the game (§I.B)",
        "small; read as: equation (3) is off by at most 0.02, root mean square",
        Between(high=0.02),
        _error_of_equation_3,
        "Both play as greedy 2, from positions after the first, second and third row.",
    ),
    Table("equation-3", "Equation (3) in games between good players", _equation_3),
    Claim(
        "eval-predicts",
        "`eval` generally predicts, to some extent, the final outcome of the hand (§II.A.1)",
        "read as: of two opposite hands with three cards, the one valued higher wins more than half",
        Between(low=0.5),
        partial(_predicts, kind=EVALUATIONS["eval"]),
    ),
    Claim(
        "rough-predicts",
        "getPackExpect effectively estimates which of two hands is better (§II.A.1)",
        "read as: of two opposite hands with three cards, the one valued higher wins more than half",
        Between(low=0.5),
        partial(_predicts, kind=EVALUATIONS["getPackExpect"]),
        "As in the program, where it never sees a pair.",
        readings={
            "with pairs seen": partial(_predicts, kind=ROUGH | PROGRAM | MENDED),
            "our weights": partial(_predicts, kind=ROUGH),
        },
    ),
    Claim(
        "differences-predict",
        "The difference of two hands' values and the chance that the higher one wins are correlated (§II.A.2)",
        "read as: the higher one wins more often where the difference is among the larger half",
        Between(low=0),
        _wider_is_surer,
    ),
    Claim(
        "non-linear-accuracy",
        "Non-linear instead of linear combinations greatly improve the accuracy of the state evaluation (§IV)",
        "greatly; read as: with three cards in each column, it names the winner more often",
        Between(low=0),
        _more_accurate,
        "greedyEval2 minus the sum of plain differences of `eval`, in shares of games.",
        readings={"greedyEval1": partial(_more_accurate, kind=ROUGH | PROGRAM)},
    ),
    Table("evaluations", "What the evaluations predict", _evaluations),
    Claim(
        "rough-is-faster",
        "getPackExpect is faster than fastEval (§II.A.1)",
        "faster; read as: fastEval takes longer",
        Between(low=1),
        partial(_slower, slow="fastEval", quick="getPackExpect"),
        "As a multiple, in compiled code and processor time. Both versions of fastEval had been timed before the "
        "text's was chosen for the verdict.",
        readings={"fastEval of the program": partial(_slower, slow="fastEval, program", quick="getPackExpect")},
    ),
    Claim(
        "fast-is-faster",
        "fastEval is faster than `eval` (§II.A.1)",
        "faster; read as: `eval` takes longer",
        Between(low=1),
        partial(_slower, slow="eval", quick="fastEval"),
        "As a multiple, in compiled code and processor time.",
        readings={"as in the program": partial(_slower, slow="eval, program", quick="fastEval, program")},
    ),
    Figure("figure-3", "Figure 3: average scores by column, sorted from highest to lowest", _figure_3),
    Claim(
        "concentration",
        "Players that evaluate the whole state concentrate on three columns, reflex players spread (§II.B.1, III)",
        "Figure 3; read as: the best three columns are further above the other two",
        Between(low=0),
        _concentration,
        "In hand strength, 1 to 7,462.",
    ),
    Claim(
        "reflex-lower-at-the-top",
        "Reflex players reach lower values in their highest hands (§III)",
        "Figure 3; read as: the best three columns of whole-state players are stronger on average",
        Between(low=0),
        _best_columns,
        "In hand strength, 1 to 7,462.",
    ),
)

"""The printed tables of Dreher and Zharkov's simulator, and games played for them under an interpretation.

What the paper leaves open, or prints differently from what its authors' program does, is an `Interpretation`.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents import Agent, agent_named
from fifthstreet.agents.holdem.hand_strength import HandStrength
from fifthstreet.agents.holdem.opponent_model import OpponentModel
from fifthstreet.agents.holdem.watched import WatchedHandStrength, WatchedOpponentModel
from fifthstreet.arena.session import SessionResult, session
from fifthstreet.estimate import Estimate
from fifthstreet.papers.paper import Run

RUNS, HANDS = 5, 10_000  # in the paper
QUICK_HANDS = 2_000  # in a game at the scale quick, long enough for the opponent models to know everybody
LEVELS = ("risky", "moderate", "conservative")


class Printed(NamedTuple):
    """A table of the paper: the players in the order of its rows, and what they won in each of the five games."""

    players: tuple[tuple[str, str], ...]  # strategy and aggressiveness
    games: tuple[tuple[int, ...], ...]
    hands: int = 10_000  # per game

    def labels(self) -> list[str]:
        return [f"{name} ({level})" if level else name for name, level in self.players]

    def places(self, name: str = "", level: str = "") -> list[int]:
        """Return the seats of the players with this strategy, this level, or both."""
        return [i for i, player in enumerate(self.players) if name in ("", player[0]) and level in ("", player[1])]

    def per_hand(self, places: Sequence[int]) -> float:
        """Return their mean winnings per hand."""
        return float(np.mean([self.games[i] for i in places])) / self.hands

    def means(self) -> NDArray[np.float64]:
        """Return what each player won per hand, over all games."""
        return np.array([self.per_hand([i]) for i in range(len(self.players))])


def _rows(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(number) for number in line.split()) for line in text.strip().splitlines())


def _all_levels(*names: str) -> tuple[tuple[str, str], ...]:
    return tuple((name, level) for name in names for level in LEVELS)


TABLE_2_2 = Printed(
    (("random", ""), *_all_levels("power-ranking")),
    _rows("""
    -34116 -34456 -32395 -30322 -35032
     -6298   -122   6552  -2533  -9379
     34263  27587  24984  22343  25677
      6054   6897    767  10423  18642
    """),
)
TABLE_3_1 = Printed(
    tuple(("hand-strength", level) for level in LEVELS for _ in range(2)),
    _rows("""
    -248413 -314686 -299379 -256889 -255356
    -155327 -151467 -154479 -156163 -188908
     -29572   49987   91098   10332   41706
      84684   48850   51756   63958   60409
     200887  173006  149211  222864  198017
     147595  194157  161663  115740  143957
    """),
)
TABLE_3_2 = Printed(
    _all_levels("hand-strength", "improved-hand-strength"),
    _rows("""
    -24800 -16712 -5346 -22282 -6416
     -4161   4549 -3506    620  2972
      5322  12237  3358   3554  6218
      4285  -5861   797   3077 -9541
      6721  10362   190   2490  -170
     12628   4517  4498  12532  6921
    """),
    500,
)
TABLE_4_1 = Printed(
    _all_levels("hand-strength", "opponent-model"),
    _rows("""
    -197017 -202631 -188055 -262959 -196894
      -3282   -1537  -13592   -3550  -12102
     131998  139472  166900  169885  114067
    -141772 -192630 -125045 -110525 -153198
      54823  112741   33273   71858   99823
     155045  144364  126323  135084  148064
    """),
)
TABLE_4_2 = Printed(
    (("random", ""), *_all_levels("power-ranking", "hand-strength", "opponent-model")),
    _rows("""
    -659112 -621306 -615979 -611152 -614668
    -363698 -282221 -264676 -281963 -324449
    -156685 -108439 -107078  -80655 -107961
    -121214 -129046 -152320 -142944 -149966
      48976  -22590  -45970  -45916  -15107
      22356  111913  155079  145145  133885
     255380  205473  271372  189214  238723
     387196  241850  285574  270680  284309
     349258  366101  242860  273993  341882
     237244  237975  230835  283306  213029
    """),
)


TABLES = {TABLE_2_2: "2.2", TABLE_3_1: "3.1", TABLE_3_2: "3.2", TABLE_4_1: "4.1", TABLE_4_2: "4.2"}


CARD_ROOM = "cap=4"
PROGRAM = "raising_passes=3,minimum_raise=false"


class Interpretation(NamedTuple):
    """A choice of what the paper does not give, or gives in two ways. Players have their own defaults for the rest."""

    name: str
    game: str = PROGRAM
    blinds: tuple[int, int] = (1, 2)
    stack: int = 1_000_000
    formulas: str = ""  # parameters of the power-ranking and of the hand-strength players
    strength: str = "against=players"  # of the hand-strength players, those with an opponent model included
    improved: str = "samples=20,per_card=true,hands=all"
    model: str = ""

    def table(self) -> str:
        small, big = self.blinds
        return f"holdem:stack={self.stack},small_blind={small},big_blind={big},{self.game}"

    def agent(self, name: str, level: str) -> str:
        given = [f"aggressivity={level}"] if level else []
        if name != "random":
            given.append(self.formulas)
        if name not in ("random", "power-ranking"):
            given.append(self.strength)
        given.append({"improved-hand-strength": self.improved, "opponent-model": self.model}.get(name, ""))
        parameters = ",".join(filter(None, given))
        return f"{name}:{parameters}" if parameters else name


CHOSEN = Interpretation("as chosen")
CHOSEN_IN_WORDS = (
    "blinds of 1 and 2, stacks that never run out, raises of any size, and no raise once the betting has gone around "
    "the table three times"
)
CARD_ROOM_RULES = Interpretation("card-room rules", CARD_ROOM)
_PAYS = "against=players,raises=pay"
INTERPRETATIONS = (
    CHOSEN,
    CARD_ROOM_RULES,
    Interpretation("minimum raise", "raising_passes=3"),
    Interpretation("at most four bets, not three passes", "minimum_raise=false,cap=4"),
    Interpretation("blinds 10, 20", blinds=(10, 20)),
    Interpretation("stacks 1,000", stack=1000),
    Interpretation("no + b", formulas="add_blind=false"),
    Interpretation("h to the power n − 1", strength=""),
    Interpretation("card-room rules, power n − 1", CARD_ROOM, strength=""),
    Interpretation("h against one", strength="against=one"),
    Interpretation("a raise pays w", strength=_PAYS),
    Interpretation("a raise by w", strength="against=players,raises=by"),
    Interpretation("all as in the program", formulas="add_blind=false", strength=_PAYS),
    Interpretation("the same, blinds 10, 20", blinds=(10, 20), formulas="add_blind=false", strength=_PAYS),
    Interpretation("opponents' hands dealt", improved="samples=20,per_card=true,hands=dealt"),
    Interpretation("formula 4.1 as printed", model="adjustment=printed"),
    Interpretation("one model for all", model="model=pooled"),
)


class Played(NamedTuple):
    """A table of the paper and the session that reproduces it."""

    table: Printed
    result: SessionResult

    def won(self, places: Sequence[int]) -> Estimate:
        """Return the mean winnings per hand of these players."""
        return self.result.per_hand(self.result.by_hand[..., list(places)].mean(axis=2))

    def difference(self, places: Sequence[int], others: Sequence[int]) -> Estimate:
        """Return how much more per hand they won than the others."""
        by_hand = self.result.by_hand
        return self.result.per_hand(by_hand[..., list(places)].mean(axis=2) - by_hand[..., list(others)].mean(axis=2))

    def ahead(self, place: int) -> Estimate:
        """Return how much more a player won than the best other player."""
        return least([self.difference([place], [other]) for other in self._others(place)])

    def behind(self, place: int) -> Estimate:
        """Return how much less a player won than the worst other player."""
        return least([self.difference([other], [place]) for other in self._others(place)])

    def _others(self, place: int) -> list[int]:
        return [i for i in range(len(self.table.players)) if i != place]

    def means(self) -> NDArray[np.float64]:
        """Return what each player won per hand."""
        found: NDArray[np.float64] = self.result.by_hand.mean(axis=(0, 1))
        return found

    def distance(self) -> float:
        """Return the distance of the measured means from the printed ones, relative to the printed ones."""
        printed = self.table.means()
        return float(np.linalg.norm(self.means() - printed) / np.linalg.norm(printed))


def least(found: Sequence[Estimate]) -> Estimate:
    """Return the least of several numbers; its interval allows for not knowing which it is (Bonferroni).

    >>> least([Estimate(2, 1, 3, 9)])
    Estimate(value=2, low=1.0, high=3.0, count=9)
    """
    wide = [each.with_error(0.05 / len(found)) for each in found]
    value, low, high = (min(getattr(each, what) for each in wide) for what in ("value", "low", "high"))
    return Estimate(value, low, high, min(each.count for each in wide))


def agents_of(table: Printed, interpretation: Interpretation) -> list[str]:
    """The players of a table, by name."""
    return [interpretation.agent(name, level) for name, level in table.players]


def watched(agents: Iterable[str]) -> list[str | Agent]:
    """The same players; those whose showdowns and estimates are counted take the place of the others."""
    kinds: dict[type[Agent], type[Agent]] = {HandStrength: WatchedHandStrength, OpponentModel: WatchedOpponentModel}
    known = [agent_named(agent, "holdem") for agent in agents]
    return [kinds[type(agent)](**vars(agent)) if type(agent) in kinds else agent for agent in known]


def play(table: Printed, interpretation: Interpretation, games: int, run: Run, watch: bool = False) -> Played:
    """Play this many games of a table."""
    agents = agents_of(table, interpretation)
    played = session(
        interpretation.table(), watched(agents) if watch else agents, HANDS, run.seed, runs=games, report=run.report
    )
    return Played(table, played)


def distance(played: Iterable[Played]) -> float:
    """Return one distance over several tables: the root mean square of their distances."""
    return math.sqrt(float(np.mean([each.distance() ** 2 for each in played])))

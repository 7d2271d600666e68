"""Counterfactual regret minimisation as the papers write it, in plain Python on the protocol: slow, and easy to check.

The solvers' compiled loops must find the same numbers.
"""

from collections import defaultdict
from typing import Any

from fifthstreet.games.game import CHANCE, AnyGame

Row = dict[int, float]  # by action


class Readable:
    """Iterations with one of the update rules."""

    def __init__(self, game: AnyGame, rule: str, alternating: bool) -> None:
        self.game, self.rule, self.alternating, self.t = game, rule, alternating, 0
        self.regrets: dict[Any, Row] = {}  # by view
        self.totals: dict[Any, Row] = {}
        self.last: dict[Any, Row] = {}  # the regrets of the last iteration
        self.strategy: dict[Any, Row] = {}

    def iterate(self) -> None:
        self.t += 1
        for seat in (0, 1):
            self.gathered: dict[Any, Row] = defaultdict(lambda: defaultdict(float))
            self.walk(self.game.start(), seat, 1.0, 1.0)
            for view, worth in self.gathered.items():
                expected = sum(self.strategy[view][action] * worth[action] for action in worth)
                self.last[view] = {action: worth[action] - expected for action in worth}
                getattr(self, self.rule)(self.regrets[view], self.last[view])
            if self.alternating:
                self.match_regrets(seat)
        if not self.alternating:
            self.match_regrets(0)
            self.match_regrets(1)

    def walk(self, state: Any, seat: int, own: float, others: float) -> float:
        """What `seat` wins from here; notes the worth of its actions, and adds its strategy to the average."""
        actor = self.game.to_act(state)
        if actor is None:
            return self.game.payoffs(state)[seat]
        choices = list(self.game.choices(state))
        if actor == CHANCE:
            share = 1 / len(choices)
            return share * sum(self.walk(self.game.after(state, each), seat, own, others * share) for each in choices)
        view = self.game.view(state, actor)
        for table in (self.regrets, self.totals):
            table.setdefault(view, dict.fromkeys(choices, 0.0))
        strategy = self.strategy.setdefault(view, dict.fromkeys(choices, 1 / len(choices)))
        value = 0.0
        first_time = actor == seat and view not in self.gathered
        for action in choices:
            mine, theirs = (strategy[action], 1.0) if actor == seat else (1.0, strategy[action])
            won = self.walk(self.game.after(state, action), seat, own * mine, others * theirs)
            value += strategy[action] * won
            if actor == seat:
                self.gathered[view][action] += others * won
                if first_time:
                    self.totals[view][action] += self.weight() * own * strategy[action]
        return value

    def match_regrets(self, seat: int) -> None:
        for view, row in self.regrets.items():
            if view.seat == seat:
                guess = self.last.get(view, {}) if self.rule == "predictive" else {}
                above = {action: max(regret + guess.get(action, 0.0), 0.0) for action, regret in row.items()}
                total = sum(above.values())
                self.strategy[view] = {a: above[a] / total if total > 0 else 1 / len(row) for a in row}

    def weight(self) -> float:
        return float(self.t ** {"cfr": 0, "cfr_plus": 1, "linear": 1, "discounted": 2, "predictive": 2}[self.rule])

    # The update rules: the sums of regrets, changed in place by the regrets of this iteration.

    def cfr(self, sums: Row, now: Row) -> None:
        for action in sums:
            sums[action] += now[action]

    def cfr_plus(self, sums: Row, now: Row) -> None:
        for action in sums:
            sums[action] = max(sums[action] + now[action], 0.0)

    predictive = cfr_plus  # what differs is that `match_regrets` expects the last regrets to come again

    def linear(self, sums: Row, now: Row) -> None:
        for action in sums:
            sums[action] = (sums[action] + now[action]) * self.t / (self.t + 1)

    def discounted(self, sums: Row, now: Row) -> None:
        for action in sums:
            regret = sums[action] + now[action]
            sums[action] = regret * (self.t**1.5 / (self.t**1.5 + 1) if regret > 0 else 1 / 2)

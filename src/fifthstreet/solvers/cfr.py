"""Counterfactual regret minimisation over a whole tree, with the update rules of the literature.

- cfr: Zinkevich et al., "Regret minimization in games with incomplete information", 2007
- cfr+: Tammelin, "Solving large imperfect information games using CFR+", 2014
- linear and discounted: Brown and Sandholm, "Solving imperfect-information games via discounted regret
  minimization", 2019
- predictive: PCFR+ of Farina, Kroer and Sandholm, "Faster game solving via predictive Blackwell approachability", 2021
"""

import math
from typing import NamedTuple

import numpy as np

from fifthstreet.errors import InputError
from fifthstreet.kernel import kernel
from fifthstreet.naming import did_you_mean
from fifthstreet.solvers.tree import Floats, Tree


class Rule(NamedTuple):
    """How regrets and the average strategy are updated in iteration t.

    positive, negative  sums of regrets above and below 0 are multiplied by t^power / (t^power + 1): infinity keeps them
                        as they are, minus infinity forgets them
    average             the strategy of iteration t counts t^average times in the average
    predictive          whether the next strategy expects the last regrets to come again
    """

    positive: float
    negative: float
    average: float
    predictive: bool = False


RULES = {
    "cfr": Rule(math.inf, math.inf, 0.0),
    "cfr+": Rule(math.inf, -math.inf, 1.0),
    "linear": Rule(1.0, 1.0, 1.0),
    "discounted": Rule(1.5, 0.0, 2.0),
    "predictive": Rule(math.inf, -math.inf, 2.0, predictive=True),
}


def rule_named(name: str) -> Rule:
    if name not in RULES:
        close = did_you_mean(name, RULES)
        raise InputError(f"{name!r} is not an update rule{close}: choose from {', '.join(RULES)}")
    return RULES[name]


class Memory(NamedTuple):
    """What the iterations have found so far, and memory to work in."""

    regrets: Floats  # by place in a strategy: the sums of regrets
    strategy: Floats  # the strategy of the next iteration
    total: Floats  # the weighted sum of all strategies
    now: Floats  # the regrets of one iteration
    own: Floats  # by node: the probability that the player itself plays there
    others: Floats  # by node: the probability that chance and the opponent do
    value: Floats  # by node: what the player wins from there

    @classmethod
    def of(cls, tree: Tree) -> "Memory":
        places = np.zeros(len(tree.action))
        nodes = np.zeros(tree.nodes)
        memory = cls(places, *(places.copy() for _ in range(3)), *(nodes.copy() for _ in range(3)))
        memory.strategy[:] = uniform(tree)
        return memory


def uniform(tree: Tree) -> Floats:
    """The strategy in which all actions are equally likely."""
    counts = np.diff(tree.start)
    return np.repeat(1 / counts, counts)


@kernel(allocates=False)
def iterate(tree: Tree, rule: Rule, memory: Memory, first: int, last: int, alternating: bool) -> None:
    """Run the iterations from `first` to `last`, counted from 1.

    With alternating updates the second player already answers the first player's new strategy.
    """
    for t in range(first, last + 1):
        for seat in range(2):
            gather(tree, seat, memory)
            update(tree, seat, rule, memory, t)
            if alternating:
                match_regrets(tree, seat, rule, memory)
        if not alternating:
            for seat in range(2):
                match_regrets(tree, seat, rule, memory)


@kernel(allocates=False)
def gather(tree: Tree, seat: int, memory: Memory) -> None:
    """Write what each action of a seat is worth, times the probability that the others play there, to memory.now."""
    own, others, value, now, strategy = memory.own, memory.others, memory.value, memory.now, memory.strategy
    own[0] = others[0] = 1.0
    value[0] = 0.0
    for node in range(1, tree.parent.size):
        parent, edge = tree.parent[node], tree.edge[node]
        probability = strategy[edge] if edge >= 0 else tree.chance[node]
        mine = tree.actor[parent] == seat
        own[node] = own[parent] * (probability if mine else 1.0)
        others[node] = others[parent] * (1.0 if mine else probability)
        value[node] = tree.payoff[node]
    sign = 1.0 if seat == 0 else -1.0
    for number in range(tree.owner.size):
        if tree.owner[number] == seat:
            for place in range(tree.start[number], tree.start[number + 1]):
                now[place] = 0.0
    for node in range(tree.parent.size - 1, 0, -1):
        parent, edge = tree.parent[node], tree.edge[node]
        probability = strategy[edge] if edge >= 0 else tree.chance[node]
        value[parent] += probability * value[node]
        if tree.actor[parent] == seat:
            now[edge] += sign * others[parent] * value[node]


@kernel(allocates=False)
def update(tree: Tree, seat: int, rule: Rule, memory: Memory, t: int) -> None:
    """Add the strategy to the average, turn the worth of actions into regrets, and add them to their sums."""
    regrets, strategy, total, now = memory.regrets, memory.strategy, memory.total, memory.now
    weight = float(t) ** rule.average
    above, below = discount(t, rule.positive), discount(t, rule.negative)
    for number in range(tree.owner.size):
        if tree.owner[number] != seat:
            continue
        begin, end = tree.start[number], tree.start[number + 1]
        expected, reach = 0.0, weight * memory.own[tree.node[number]]
        for place in range(begin, end):
            expected += strategy[place] * now[place]
            total[place] += reach * strategy[place]
        for place in range(begin, end):
            now[place] -= expected
            regret = regrets[place] + now[place]
            regrets[place] = regret * (above if regret > 0.0 else below)


@kernel(allocates=False)
def discount(t: int, power: float) -> float:
    if power == math.inf:
        return 1.0
    if power == -math.inf:
        return 0.0
    grown = float(t) ** power
    return grown / (grown + 1.0)


@kernel(allocates=False)
def match_regrets(tree: Tree, seat: int, rule: Rule, memory: Memory) -> None:
    """Give each action a probability in proportion to its regret, as far as it is above 0."""
    regrets, strategy, now = memory.regrets, memory.strategy, memory.now
    for number in range(tree.owner.size):
        if tree.owner[number] != seat:
            continue
        begin, end = tree.start[number], tree.start[number + 1]
        above = 0.0
        for place in range(begin, end):
            regret = regrets[place] + (now[place] if rule.predictive else 0.0)
            strategy[place] = max(regret, 0.0)
            above += strategy[place]
        for place in range(begin, end):
            strategy[place] = strategy[place] / above if above > 0.0 else 1.0 / (end - begin)


def average(tree: Tree, memory: Memory) -> Floats:
    """The average strategy; uniform where it never plays."""
    sums = np.repeat(np.add.reduceat(memory.total, tree.start[:-1]), np.diff(tree.start))
    return np.where(sums > 0, memory.total / np.where(sums > 0, sums, 1), uniform(tree))

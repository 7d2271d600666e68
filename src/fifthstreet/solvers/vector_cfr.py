"""Discounted counterfactual regret minimisation on whole ranges: every number of the textbook is a row, hand by hand.

A street's betting is the same on every board, so it is written down once for each side, as a `Program`. An iteration
walks over the boards for one side: down each street with the rows that say how likely the opponent gets there with
each hand, a sweep over all its showdowns and folds at once, and up again with what the side's own hands are worth.
Cards are dealt between two streets, where hands change places: rivers have them in order of strength.

Regrets are discounted as by Brown and Sandholm (2019), with α 1.5, β 0 and γ 3; one side is updated after the other.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.kernel import kernel
from fifthstreet.solvers.betting_tree import DEAL, FOLD, SHOWDOWN, Node
from fifthstreet.solvers.boards import Boards
from fifthstreet.solvers.lanes import Lanes, above_zero, if_above, larger, load, splat, store
from fifthstreet.solvers.showdown import FOLDS, SHOWDOWNS, memory, sweep

LEARN, BEST, AVERAGE = 0, 1, 2  # what a side does where it acts: its regrets are updated, it plays best, or the average
POSITIVE, NEGATIVE, LATER = 1.5, 0.5, 3.0  # the power α, the factor for β = 0, the power γ

LEAST = np.float32(1e-30)  # nothing is divided by less

Numbers = NDArray[np.int32]
Rows = NDArray[np.float32]


class Program(NamedTuple):
    """What one side does with its rows on one street, on any board.

    Rows of reach: first those that a fold or a showdown uses. Rows of values: first those that `sweep` makes.
    """

    forward: Numbers  # (opponent's nodes, 5) place in the table, actions, row of reach, place in `to`, locked
    to: Numbers  # the row of reach that an action of the opponent leads to
    backward: Numbers  # (nodes, 6) mine, actions, row of values, place in the table, place in `source`, locked
    source: Numbers  # the row of values that an action leads to
    scale: Rows  # and what it is multiplied by
    begin_reach: Numbers  # for each way into the street: its row of reach,
    begin_source: Numbers  # its row of values,
    begin_scale: Rows  # and what that is multiplied by
    end_reach: Numbers  # for each way out of the street: its row of reach,
    end_value: Numbers  # and its row of values
    needs: Numbers  # what each block of rows of reach is needed for
    rows: Numbers  # how many there are of reach, of values, in the table


class Memory(NamedTuple):
    """What one thread works in."""

    reach: tuple[Rows, Rows, Rows]  # by street
    values: tuple[Rows, Rows, Rows]
    sweeps: tuple[Rows, Rows, Rows, Rows]


class Game(NamedTuple):
    """A spot, ready to be solved."""

    boards: Boards
    programs: tuple[Program, Program, Program, Program, Program, Program]  # by street and side
    table: NDArray[np.int64]  # (boards, 2) where the rows of a board and side begin in the next two
    regrets: Rows
    average: Rows
    weight: tuple[Rows, Rows]  # the ranges, in the order of the first board
    worth: Rows  # what hands are worth behind each board that follows the first, for each way there
    lanes: Lanes


def program(begins: Sequence[Node], me: int, half_pot: float, live: int, locked: Any = ()) -> Program:
    """The program of one side on a street that may begin at these nodes; `live` cards may be dealt after it."""
    forward, to, backward, source, scale, end_reach, end_value = [], [], [], [], [], [], []  # type: ignore[var-annotated]
    nodes: list[Node] = []
    reach: dict[int, int] = {}  # the row of reach of each node, as they are made
    places, count, needs = [0, 0], 0, {}  # type: ignore[var-annotated]
    table: dict[int, int] = {}
    for begin in begins:
        reach[id(begin)] = count
        count += 1
        waiting = [begin]
        while waiting:
            node = waiting.pop()
            nodes.append(node)
            for child in node.children if node.actor < 2 else ():
                if node.actor == me:
                    reach[id(child)] = reach[id(node)]
                else:
                    reach[id(child)] = count
                    count += 1
            if node.actor < 2:
                table[id(node)] = places[node.actor]
                places[node.actor] += len(node.children)
                waiting += reversed(node.children)
            elif node.actor in (FOLD, SHOWDOWN):
                row = reach[id(node)]
                needs[row] = needs.get(row, 0) | (FOLDS if node.actor == FOLD else SHOWDOWNS)
    # Rows that are swept come first, those for showdowns before those for folds.
    order = sorted(needs, key=lambda row: (needs[row] == FOLDS, needs[row] != SHOWDOWNS, row))
    swept = -(-len(order) // 8) * 8
    number = {row: place for place, row in enumerate(order)}
    for row in range(count):
        number.setdefault(row, swept + len(number) - len(order))
    blocks = [0] * (swept // 8)
    for place, row in enumerate(order):
        blocks[place >> 3] |= needs[row]
    value: dict[int, tuple[int, float]] = {}
    rows = 2 * swept
    for node in nodes:
        if node.actor == SHOWDOWN:
            value[id(node)] = number[reach[id(node)]], half_pot + node.paid[me]
        elif node.actor == FOLD:
            winner = 0 if node.paid[0] > node.paid[1] else 1
            lost = half_pot + min(node.paid)
            value[id(node)] = swept + number[reach[id(node)]], lost if winner == me else -lost
        else:
            value[id(node)] = rows, 1.0 / live if node.actor == DEAL else 1.0
            if node.actor == DEAL:
                end_reach.append(number[reach[id(node)]])
                end_value.append(rows)
            rows += 1
    for node in nodes:
        if node.actor < 2:
            if node.actor != me:
                lock = int(id(node) in locked)
                forward.append((table[id(node)], len(node.children), number[reach[id(node)]], len(to), lock))
                to += [number[reach[id(child)]] for child in node.children]
    for node in reversed(nodes):
        if node.actor < 2:
            mine, lock = int(node.actor == me), int(id(node) in locked)
            backward.append((mine, len(node.children), value[id(node)][0], table[id(node)], len(source), lock))
            source += [value[id(child)][0] for child in node.children]
            scale += [value[id(child)][1] for child in node.children]

    def numbers(found: Any, *shape: int) -> Numbers:
        return np.array(found, np.int32).reshape(shape or -1)

    return Program(
        numbers(forward, -1, 5),
        numbers(to),
        numbers(backward, -1, 6),
        numbers(source),
        np.array(scale, np.float32),
        numbers([number[reach[id(begin)]] for begin in begins]),
        numbers([value[id(begin)][0] for begin in begins]),
        np.array([value[id(begin)][1] for begin in begins], np.float32),
        numbers(end_reach),
        numbers(end_value),
        numbers(blocks),
        numbers([swept + count - len(order), rows, places[me]]),
    )


@kernel(allocates=False)
def descend(
    program: Program, width: int, table: Rows, average: Rows, start: int, decay: float, reach: Rows, lanes: Lanes
) -> None:
    """How likely the opponent gets to each row, by its own actions.

    If decay is not negative, the average strategy, which is multiplied by it first, gets this one added.
    """
    size, zero, least = len(lanes), splat(np.float32(0.0), lanes), splat(LEAST, lanes)
    old = splat(np.float32(decay), lanes)
    for k in range(program.forward.shape[0]):
        place, actions = start + program.forward[k, 0] * width, program.forward[k, 1]
        source, edge = program.forward[k, 2] * width, program.forward[k, 3]
        learning = decay >= 0.0 and program.forward[k, 4] == 0
        share = splat(np.float32(1.0 / actions), lanes)
        for i in range(0, width, size):
            total = zero
            for a in range(actions):
                total = total + above_zero(load(table, place + a * width + i, lanes))
            here = load(reach, source + i, lanes)
            part, even = if_above(total, here / larger(total, least), zero), if_above(total, zero, here * share)
            for a in range(actions):
                at = place + a * width + i
                there = above_zero(load(table, at, lanes)) * part + even
                store(reach, program.to[edge + a] * width + i, there, lanes)
                if learning:
                    store(average, at, load(average, at, lanes) * old + there, lanes)


@kernel(allocates=False)
def ascend(
    program: Program,
    width: int,
    mode: int,
    table: Rows,
    start: int,
    above: float,
    below: float,
    values: Rows,
    lanes: Lanes,
) -> None:
    """What each hand is worth at each node, from the ends of the street up; in LEARN, regrets are updated."""
    size, zero, least = len(lanes), splat(np.float32(0.0), lanes), splat(LEAST, lanes)
    keep_above, keep_below = splat(np.float32(above), lanes), splat(np.float32(below), lanes)
    for k in range(program.backward.shape[0]):
        mine, actions, target = program.backward[k, 0], program.backward[k, 1], program.backward[k, 2] * width
        place, edge = start + program.backward[k, 3] * width, program.backward[k, 4]
        free = program.backward[k, 5] == 0
        if mine == 0:
            for i in range(0, width, size):
                total = zero
                for a in range(edge, edge + actions):
                    scale = splat(program.scale[a], lanes)
                    total = total + load(values, program.source[a] * width + i, lanes) * scale
                store(values, target + i, total, lanes)
        elif mode == BEST and free:
            for i in range(0, width, size):
                best = load(values, program.source[edge] * width + i, lanes) * splat(program.scale[edge], lanes)
                for a in range(edge + 1, edge + actions):
                    scale = splat(program.scale[a], lanes)
                    best = larger(load(values, program.source[a] * width + i, lanes) * scale, best)
                store(values, target + i, best, lanes)
        else:
            share = splat(np.float32(1.0 / actions), lanes)
            for i in range(0, width, size):
                total, weighted, plain = zero, zero, zero
                for a in range(actions):
                    worth = load(values, program.source[edge + a] * width + i, lanes)
                    worth = worth * splat(program.scale[edge + a], lanes)
                    regret = above_zero(load(table, place + a * width + i, lanes))
                    total, weighted, plain = total + regret, weighted + regret * worth, plain + worth
                expected = if_above(total, weighted / larger(total, least), plain * share)
                store(values, target + i, expected, lanes)
                if mode == LEARN and free:
                    for a in range(actions):
                        at = place + a * width + i
                        worth = load(values, program.source[edge + a] * width + i, lanes)
                        worth = worth * splat(program.scale[edge + a], lanes)
                        regret = load(table, at, lanes) + (worth - expected)
                        store(table, at, regret * if_above(regret, keep_above, keep_below), lanes)


class Pass(NamedTuple):
    """What an iteration does for one side: it is given by numbers, so that no code is compiled twice."""

    me: int
    mode: int
    decay: float
    above: float
    below: float


@kernel(allocates=False)
def play_river(game: Game, memory: Memory, board: int, each: Pass) -> None:
    """All of a river, from the rows of reach with which it begins to what hands are worth."""
    boards, me = game.boards, each.me
    program, reach, values = game.programs[4 + me], memory.reach[2], memory.values[2]
    down(game, program, board, each, reach)
    sweep(boards, board, me, program.needs, reach, values, memory.sweeps, game.lanes)
    up(game, program, board, each, values)


@kernel(allocates=False)
def down(game: Game, program: Program, board: int, each: Pass, reach: Rows) -> None:
    other = 1 - each.me
    width, start = game.boards.width[board, other], game.table[board, other]
    if each.mode == LEARN:
        descend(program, width, game.regrets, game.average, start, each.decay, reach, game.lanes)
    else:
        descend(program, width, game.average, game.average, start, -1.0, reach, game.lanes)


@kernel(allocates=False)
def up(game: Game, program: Program, board: int, each: Pass, values: Rows) -> None:
    me = each.me
    width, start = game.boards.width[board, me], game.table[board, me]
    table = game.regrets if each.mode == LEARN else game.average
    ascend(program, width, each.mode, table, start, each.above, each.below, values, game.lanes)
    alike = game.boards.first_alike[board, me]
    if each.mode == LEARN and alike >= 0:
        even_out(game.boards.alike, alike, game.boards.hands[board, me], width, table, start, program.rows[2])


@kernel(allocates=False)
def even_out(alike: Any, first: int, hands: int, width: int, table: Rows, start: int, rows: int) -> None:
    """Give hands that differ only by suits the same regrets: rounding would make them differ."""
    for row in range(rows):
        at = start + row * width
        for i in range(hands):
            table[at + i] = table[at + alike[first + i]]


@kernel(allocates=False)
def deal_down(game: Game, board: int, me: int, before: Program, after: Program, source: Rows, target: Rows) -> None:
    """Carry the opponent's reach over to the board that follows, where its hands stand in another order."""
    boards, other = game.boards, 1 - me
    into, hands = boards.first_into[board, other], boards.hands[board, other]
    width, wide = boards.width[board, other], boards.width[boards.parent[board], other]
    for way in range(before.end_reach.size):
        read, write = before.end_reach[way] * wide, after.begin_reach[way] * width
        for i in range(hands):
            target[write + i] = source[read + boards.into[into + i]]
        for i in range(hands, width):
            target[write + i] = 0.0


@kernel(allocates=False)
def deal_up(game: Game, board: int, me: int, source: Rows, first: int, target: Rows, before: Program) -> None:
    """Add what hands are worth on this board, and on its copies, to what they are worth before the card.

    `source` has a row for each way here, from `first` on.
    """
    boards = game.boards
    hands, width = boards.hands[board, me], boards.width[board, me]
    wide = boards.width[boards.parent[board], me]
    for copy in range(boards.copies[board]):
        into = boards.first_into[board, me] + copy * width
        for way in range(before.end_value.size):
            read, write = first + way * width, before.end_value[way] * wide
            for i in range(hands):
                target[write + boards.into[into + i]] += source[read + i]


@kernel(allocates=False)
def hand_over(program: Program, width: int, values: Rows, target: Rows, first: int) -> None:
    """Copy what hands are worth at each way into the street, scaled, to rows from `first` on."""
    for way in range(program.begin_source.size):
        read, scale = program.begin_source[way] * width, program.begin_scale[way]
        for i in range(width):
            target[first + way * width + i] = values[read + i] * scale


@kernel(allocates=False)
def clear_ends(program: Program, width: int, values: Rows) -> None:
    for way in range(program.end_value.size):
        at = program.end_value[way] * width
        for i in range(width):
            values[at + i] = 0.0


@kernel(allocates=False)
def play_after(game: Game, memory: Memory, board: int, each: Pass, first: int) -> None:
    """All that follows when this board's card is dealt on the first board; its worth goes to `game.worth`."""
    boards, me = game.boards, each.me
    street, width = int(boards.street[board]), boards.width[board, me]
    before, after = game.programs[2 * street - 2 + me], game.programs[2 * street + me]
    deal_down(game, board, me, before, after, memory.reach[street - 1], memory.reach[street])
    if street == 2:
        play_river(game, memory, board, each)
    else:
        river = game.programs[4 + me]
        down(game, after, board, each, memory.reach[1])
        sweep(boards, board, me, after.needs, memory.reach[1], memory.values[1], memory.sweeps, game.lanes)
        clear_ends(after, width, memory.values[1])
        for next_board in range(boards.first_child[board], boards.first_child[board] + boards.children[board]):
            deal_down(game, next_board, me, after, river, memory.reach[1], memory.reach[2])
            play_river(game, memory, next_board, each)
            last, pile = boards.width[next_board, me], memory.sweeps[1]
            hand_over(river, last, memory.values[2], pile, 0)
            deal_up(game, next_board, me, pile, 0, memory.values[1], after)
        up(game, after, board, each, memory.values[1])
    hand_over(after, width, memory.values[street], game.worth, first)


@kernel(allocates=False)
def begin_pass(game: Game, memory: Memory, each: Pass) -> None:
    """From the root to the first card that is dealt."""
    boards, me, street = game.boards, each.me, int(game.boards.street[0])
    program, width = game.programs[2 * street + me], boards.width[0, 1 - me]
    reach, weight = memory.reach[street], game.weight[1 - me]
    at = program.begin_reach[0] * width
    for i in range(width):
        reach[at + i] = weight[i]
    down(game, program, 0, each, reach)


@kernel(allocates=False)
def end_pass(game: Game, memory: Memory, each: Pass) -> None:
    """From the cards that were dealt back to the root."""
    boards, me, street = game.boards, each.me, int(game.boards.street[0])
    program, values = game.programs[2 * street + me], memory.values[street]
    sweep(boards, 0, me, program.needs, memory.reach[street], values, memory.sweeps, game.lanes)
    clear_ends(program, boards.width[0, me], values)
    for board in range(boards.first_child[0], boards.first_child[0] + boards.children[0]):
        deal_up(game, board, me, game.worth, worth_at(game, board, me), values, program)
    up(game, program, 0, each, values)


@kernel(allocates=False)
def worth_at(game: Game, board: int, me: int) -> int:
    """Where the rows of a board that follows the first begin in `game.worth`."""
    street = int(game.boards.street[0])
    ways = game.programs[2 * street + me].end_value.size
    return (board - game.boards.first_child[0]) * ways * game.boards.width[0, me]


@kernel(allocates=False)
def play_some(game: Game, memory: Memory, each: Pass, begin: int, end: int) -> None:
    """The part of a pass behind some of the boards that follow the first."""
    for board in range(begin, end):
        play_after(game, memory, board, each, worth_at(game, board, each.me))


@kernel(allocates=False)
def play_all(game: Game, memory: Memory, each: Pass) -> None:
    """A whole pass in one thread."""
    begin_pass(game, memory, each)
    first = game.boards.first_child[0]
    play_some(game, memory, each, first, first + game.boards.children[0])
    end_pass(game, memory, each)


@kernel(allocates=False)
def pass_of(me: int, mode: int, t: int) -> Pass:
    """What iteration t, from 1, does for a side."""
    grown = float(t) ** POSITIVE
    return Pass(me, mode, ((t - 1.0) / t) ** LATER, grown / (grown + 1.0), NEGATIVE)


@kernel(allocates=False)
def root_worth(game: Game, memory: Memory, me: int) -> float:
    """What the side wins in the last pass over all deals, each as often as it is dealt."""
    street = int(game.boards.street[0])
    width = game.boards.width[0, me]
    at, total = game.programs[2 * street + me].begin_source[0] * width, 0.0
    for i in range(game.boards.hands[0, me]):
        total += float(game.weight[me][i]) * float(memory.values[street][at + i])
    return total


@kernel(allocates=False)
def iterate(game: Game, memory: Memory, first: int, last: int) -> float:
    """Iterations first to last; what a perfect opponent of each side then wins, added up over all deals."""
    for t in range(first, last + 1):
        for me in range(2):
            play_all(game, memory, pass_of(me, LEARN, t))
    total = 0.0
    for me in range(2):
        play_all(game, memory, pass_of(me, BEST, 1))
        total += root_worth(game, memory, me)
    return total


def memory_for(game: Game) -> Memory:
    """Memory for one thread."""
    widths = [[1, 1], [1, 1], [1, 1]]
    for street in range(3):
        found = game.boards.width[game.boards.street == street]
        if len(found):
            widths[street] = [int(each) for each in found.max(axis=0)]
    reach, values = [], []
    for street in range(3):
        pair = game.programs[2 * street : 2 * street + 2]
        reach.append(max(int(pair[me].rows[0]) * widths[street][1 - me] for me in (0, 1)))
        values.append(max(int(pair[me].rows[1]) * widths[street][me] for me in (0, 1)))
    rows = [np.zeros(max(size, 8), np.float32) for size in (*reach, *values)]
    widest = max(max(pair) for pair in widths)
    ways = max(len(each.begin_source) for each in game.programs)
    columns, _, dealt, cards = memory(widest)
    pile = np.zeros(max(8, ways) * widest, np.float32)
    return Memory((rows[0], rows[1], rows[2]), (rows[3], rows[4], rows[5]), (columns, pile, dealt, cards))

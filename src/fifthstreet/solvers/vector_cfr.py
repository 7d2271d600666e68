"""Discounted counterfactual regret minimisation on whole ranges: every number of the textbook is a row, hand by hand.

A street's betting is the same on every board, so it is written down once for each side, as a `Program`. An iteration
walks over the boards for one side: down each street with the rows that say how likely the opponent gets there with
each hand, a sweep over all its showdowns and folds at once, and up again with what the side's own hands are worth.
Cards are dealt between two streets, where hands change places: rivers have them in order of strength.

Regrets are discounted as by Brown and Sandholm (2019), with α 1.5, β 0 and γ 3; one side is updated after the other.
"""

from collections.abc import Container, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.kernel import kernel
from fifthstreet.solvers.betting_tree import DEAL, FOLD, SHOWDOWN, Node, nodes_of
from fifthstreet.solvers.boards import Boards, records
from fifthstreet.solvers.lanes import ONE, Lanes, above_zero, at, if_above, larger, load, splat, store, zeros
from fifthstreet.solvers.showdown import FOLDS, SHOWDOWNS, memory, sweep

# What a side does where it acts: it learns from its regrets, plays best, or as it did on average. FIXED is as the
# regrets say, without learning; SUM is for the nodes of the opponent.
LEARN, BEST, AVERAGE, FIXED, SUM = range(5)
POSITIVE, NEGATIVE, LATER = 1.5, 0.5, 3.0  # the power α, the factor for β = 0, the power γ

LEAST = np.float32(1e-30)  # nothing is divided by less

Numbers = NDArray[np.int32]
Rows = NDArray[np.float32]


class Program(NamedTuple):
    """What one side does with its rows on one street, on any board; all lists are in `Programs.numbers`, one by one.

    Rows of reach: first those that a fold or a showdown uses. Rows of values: first those that `sweep` makes.
    """

    forward: int  # for each of the opponent's nodes: place in the table, actions, row of reach, place in `to`, locked
    forward_count: int
    to: int  # the row of reach that an action of the opponent leads to
    backward: int  # for each node: mine, actions, row of values, place in the table, place in `source`, locked
    backward_count: int
    source: int  # the row of values that an action leads to, to be multiplied by its scale
    begin_reach: int  # for each way into the street: its row of reach,
    begin_source: int  # and its row of values, to be multiplied by its scale
    begins: int
    end_reach: int  # for each way out of the street: its row of reach,
    end_value: int  # and its row of values
    ends: int
    needs: int  # what each block of eight rows of reach is needed for
    blocks: int
    reach_rows: int
    value_rows: int
    table_rows: int


class Places(NamedTuple):
    """Where a program has the rows of each node."""

    reach: dict[Node, int]
    value: dict[Node, tuple[int, float]]  # with what it is to be multiplied by
    table: dict[Node, int]


class Programs(NamedTuple):
    """The programs of all streets and sides."""

    list: Any  # of PROGRAM, by street and side
    numbers: Numbers
    scale: Rows  # as long as `numbers`


PROGRAM = np.dtype([(name, np.int64) for name in Program._fields], align=True)


class Memory(NamedTuple):
    """What one thread works in."""

    reach: tuple[Rows, Rows, Rows]  # by street
    values: tuple[Rows, Rows, Rows]
    sweeps: tuple[Rows, Rows, Rows, Rows]


class Game(NamedTuple):
    """A spot, ready to be solved."""

    boards: Boards
    programs: Programs
    regrets: Rows
    average: Rows
    weight: tuple[Rows, Rows]  # the ranges, in the order of the first board
    worth: Rows  # what hands are worth behind each board that follows the first, for each way there
    lanes: Lanes


def programs_of(root: Node, half_pot: float, locked: Container[Node] = ()) -> tuple[Programs, list[Places]]:
    """The programs for a betting tree, and where they have what. At nodes that are `locked` nothing is learned."""
    begins: list[list[Node]] = [[], [], []]
    begins[root.street].append(root)
    for node in nodes_of(root):
        if node.actor == DEAL:
            begins[node.street + 1].append(node.children[0])
    rows, places, numbers, scale = records(6, PROGRAM), [], [], []  # type: ignore[var-annotated]
    for street in range(3):
        for me in (0, 1):
            program, place = _program(begins[street], me, half_pot, 45 - street, locked, numbers, scale)
            rows[2 * street + me] = program
            places.append(place)
    return Programs(rows, np.array(numbers, np.int32), np.array(scale, np.float32)), places


def _program(
    begins: Sequence[Node],
    me: int,
    half_pot: float,
    live: int,
    locked: Container[Node],
    numbers: list[int],
    scales: list[float],
) -> tuple[Program, Places]:
    """One of them, with its lists added to `numbers` and `scales`; `live` cards may be dealt after the street."""
    nodes: list[Node] = []
    reach: dict[Node, int] = {}  # the row of reach of each node, as they are made
    needs: dict[int, int] = {}
    table: dict[Node, int] = {}
    places, count = [0, 0], 0
    for begin in begins:
        reach[begin] = count
        count += 1
        waiting = [begin]
        while waiting:
            node = waiting.pop()
            nodes.append(node)
            if node.actor < 2:
                for child in node.children:
                    reach[child] = reach[node] if node.actor == me else count
                    count += node.actor != me
                table[node] = places[node.actor]
                places[node.actor] += len(node.children)
                waiting += reversed(node.children)
            elif node.actor != DEAL:
                row = reach[node]
                needs[row] = needs.get(row, 0) | (FOLDS if node.actor == FOLD else SHOWDOWNS)
    # Rows that are swept come first, those for showdowns alone before the others, those for folds alone last.
    order = sorted(needs, key=lambda row: (needs[row] == FOLDS, needs[row] != SHOWDOWNS, row))
    swept = -(-len(order) // 8) * 8
    blocks = [0] * (swept // 8)
    number = {}
    for place, row in enumerate(order):
        number[row] = place
        blocks[place >> 3] |= needs[row]
    for row in range(count):
        number.setdefault(row, swept + len(number) - len(order))
    value: dict[Node, tuple[int, float]] = {}
    rows, ends = 2 * swept, []
    for node in nodes:
        if node.actor == SHOWDOWN:
            value[node] = number[reach[node]], half_pot + node.paid[me]
        elif node.actor == FOLD:
            won = half_pot + min(node.paid)
            value[node] = swept + number[reach[node]], won if node.paid[me] > node.paid[1 - me] else -won
        else:
            value[node] = rows, 1.0 / live if node.actor == DEAL else 1.0
            if node.actor == DEAL:
                ends.append((number[reach[node]], rows))
            rows += 1
    forward, to, backward, source = [], [], [], []  # type: ignore[var-annotated]
    for node in nodes:
        if node.actor == 1 - me:
            forward += [table[node], len(node.children), number[reach[node]], len(to), int(node in locked)]
            to += [number[reach[child]] for child in node.children]
    for node in reversed(nodes):
        if node.actor < 2:
            about = int(node.actor == me), len(node.children), value[node][0], table[node], len(source)
            backward += [*about, int(node in locked)]
            source += [value[child] for child in node.children]

    def add(found: Sequence[int], scale: Sequence[float] = ()) -> int:
        place = len(numbers)
        numbers.extend(found)
        scales.extend(scale or [0.0] * len(found))
        return place

    def add_pairs(pairs: list[tuple[int, float]]) -> int:
        return add([row for row, _ in pairs], [scale for _, scale in pairs])

    found = Program(
        forward=add(forward),
        forward_count=len(forward) // 5,
        to=add(to),
        backward=add(backward),
        backward_count=len(backward) // 6,
        source=add_pairs(source),
        begin_reach=add([number[reach[begin]] for begin in begins]),
        begin_source=add_pairs([value[begin] for begin in begins]),
        begins=len(begins),
        end_reach=add([row for row, _ in ends]),
        end_value=add([row for _, row in ends]),
        ends=len(ends),
        needs=add(blocks),
        blocks=len(blocks),
        reach_rows=swept + count - len(order),
        value_rows=rows,
        table_rows=places[me],
    )
    return found, Places({node: number[row] for node, row in reach.items()}, value, table)


@kernel(allocates=False)
def descend(
    programs: Programs,
    which: int,
    width: int,
    table: Rows,
    average: Rows,
    start: int,
    decay: float,
    reach: Rows,
    lanes: Lanes,
) -> None:
    """How likely the opponent gets to each row, by its own actions.

    If decay is not negative, the average strategy, which is multiplied by it first, gets this one added.
    """
    program, numbers = programs.list[which], programs.numbers
    for k in range(program.forward_count):
        begin = program.forward + 5 * k
        place, actions = start + at(numbers, begin) * width, at(numbers, begin + 1)
        source, to = at(numbers, begin + 2) * width, program.to + at(numbers, begin + 3)
        old = np.float32(-1.0) if at(numbers, begin + 4) else np.float32(decay)
        if actions == 2:
            part(numbers, width, table, average, place, TWO, 2, source, to, old, reach, lanes)
        elif actions == 3:
            part(numbers, width, table, average, place, THREE, 3, source, to, old, reach, lanes)
        else:
            part(numbers, width, table, average, place, MANY, actions, source, to, old, reach, lanes)


TWO, THREE, MANY = (0,) * 2, (0,) * 3, ()
"""Numbers of actions that a kernel is compiled for; any number, if it is MANY, is given as a number besides."""


@kernel(allocates=False)
def part(
    numbers: Numbers,
    width: int,
    table: Rows,
    average: Rows,
    place: int,
    known: tuple[int, ...],
    given: int,
    source: int,
    to: int,
    decay: Any,
    reach: Rows,
    lanes: Lanes,
) -> None:
    """Divide a row of reach among the actions of a node by their regrets, evenly where none is above 0."""
    actions = len(known) if len(known) > 0 else given
    size, zero, least, old = len(lanes), splat(np.float32(0.0), lanes), splat(LEAST, lanes), splat(decay, lanes)
    share = splat(np.float32(1.0) / np.float32(actions), lanes)
    learning = decay >= 0.0
    to_0, to_1, to_2 = at(numbers, to) * width, at(numbers, to + (actions > 1)) * width, 0
    if actions > 2:
        to_2 = at(numbers, to + 2) * width
    for i in range(0, width, size):
        total = zero
        for a in range(actions):
            total = total + above_zero(load(table, place + a * width + i, lanes))
        arriving = load(reach, source + i, lanes)
        each = if_above(total, arriving / larger(total, least), zero)
        even = if_above(total, zero, arriving * share)
        for a in range(actions):
            here = place + a * width + i
            there = above_zero(load(table, here, lanes)) * each + even
            row = to_0 if a == 0 else to_1 if a == 1 else to_2 if a == 2 else at(numbers, to + a) * width
            store(reach, row + i, there, lanes)
            if learning:
                store(average, here, load(average, here, lanes) * old + there, lanes)


@kernel(allocates=False)
def ascend(
    programs: Programs,
    which: int,
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
    program, numbers = programs.list[which], programs.numbers
    for k in range(program.backward_count):
        begin = program.backward + 6 * k
        actions, target = at(numbers, begin + 1), at(numbers, begin + 2) * width
        place, source = start + at(numbers, begin + 3) * width, program.source + at(numbers, begin + 4)
        free = at(numbers, begin + 5) == 0
        doing = (
            SUM if at(numbers, begin) == 0 else mode if free or mode == AVERAGE else FIXED if mode == LEARN else AVERAGE
        )
        if actions == 2:
            join(programs, width, doing, table, place, TWO, 2, target, source, above, below, values, lanes)
        elif actions == 3:
            join(programs, width, doing, table, place, THREE, 3, target, source, above, below, values, lanes)
        else:
            join(programs, width, doing, table, place, MANY, actions, target, source, above, below, values, lanes)


@kernel(allocates=False)
def join(
    programs: Programs,
    width: int,
    doing: int,
    table: Rows,
    place: int,
    known: tuple[int, ...],
    given: int,
    target: int,
    source: int,
    above: float,
    below: float,
    values: Rows,
    lanes: Lanes,
) -> None:
    """What hands are worth at a node, from what they are worth after each action."""
    numbers, scales = programs.numbers, programs.scale
    actions = len(known) if len(known) > 0 else given
    size, zero = len(lanes), splat(np.float32(0.0), lanes)
    # Where the first actions lead is looked up once and not for every block of hands.
    row_0, row_1, row_2 = at(numbers, source) * width, at(numbers, source + (actions > 1)) * width, 0
    scale_0, scale_1, scale_2 = at(scales, source), at(scales, source + (actions > 1)), np.float32(0.0)
    if actions > 2:
        row_2, scale_2 = at(numbers, source + 2) * width, at(scales, source + 2)
    if doing == SUM:
        for i in range(0, width, size):
            total = zero
            for a in range(actions):
                row = row_0 if a == 0 else row_1 if a == 1 else row_2 if a == 2 else at(numbers, source + a) * width
                scale = scale_0 if a == 0 else scale_1 if a == 1 else scale_2 if a == 2 else at(scales, source + a)
                total = total + load(values, row + i, lanes) * splat(scale, lanes)
            store(values, target + i, total, lanes)
    elif doing == BEST:
        for i in range(0, width, size):
            best = load(values, at(numbers, source) * width + i, lanes) * splat(at(scales, source), lanes)
            for a in range(source + 1, source + actions):
                worth = load(values, at(numbers, a) * width + i, lanes) * splat(at(scales, a), lanes)
                best = larger(worth, best)
            store(values, target + i, best, lanes)
    else:
        least, share = splat(LEAST, lanes), splat(np.float32(1.0) / np.float32(actions), lanes)
        keep_above, keep_below = splat(np.float32(above), lanes), splat(np.float32(below), lanes)
        for i in range(0, width, size):
            total, weighted, plain = zero, zero, zero
            for a in range(actions):
                row = row_0 if a == 0 else row_1 if a == 1 else row_2 if a == 2 else at(numbers, source + a) * width
                scale = scale_0 if a == 0 else scale_1 if a == 1 else scale_2 if a == 2 else at(scales, source + a)
                worth = load(values, row + i, lanes) * splat(scale, lanes)
                regret = above_zero(load(table, place + a * width + i, lanes))
                total, weighted, plain = total + regret, weighted + regret * worth, plain + worth
            expected = if_above(total, weighted / larger(total, least), plain * share)
            store(values, target + i, expected, lanes)
            if doing == LEARN:
                for a in range(actions):
                    here = place + a * width + i
                    row = row_0 if a == 0 else row_1 if a == 1 else row_2 if a == 2 else at(numbers, source + a) * width
                    scale = scale_0 if a == 0 else scale_1 if a == 1 else scale_2 if a == 2 else at(scales, source + a)
                    worth = load(values, row + i, lanes) * splat(scale, lanes)
                    regret = load(table, here, lanes) + (worth - expected)
                    store(table, here, regret * if_above(regret, keep_above, keep_below), lanes)


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
    down(game, memory, board, 2, each)
    finish(game, memory, board, 2, each)
    up(game, memory, board, 2, each)


@kernel(allocates=False)
def down(game: Game, memory: Memory, board: int, street: int, each: Pass) -> None:
    here, other, which, reach = game.boards.list[board], 1 - each.me, 2 * street + each.me, memory.reach[street]
    table, decay = game.average, -1.0
    if each.mode == LEARN:
        table, decay = game.regrets, each.decay
    width, start = here.width[other], here.table[other]
    descend(game.programs, which, width, table, game.average, start, decay, reach, game.lanes)


@kernel(allocates=False)
def finish(game: Game, memory: Memory, board: int, street: int, each: Pass) -> None:
    """What hands are worth where the street ends in a fold or a showdown."""
    program = game.programs.list[2 * street + each.me]
    needs, blocks, reach, values = program.needs, program.blocks, memory.reach[street], memory.values[street]
    numbers = game.programs.numbers
    sweep(game.boards, board, each.me, numbers, needs, blocks, reach, values, memory.sweeps, game.lanes)


@kernel(allocates=False)
def up(game: Game, memory: Memory, board: int, street: int, each: Pass) -> None:
    here, me, which, values = game.boards.list[board], each.me, 2 * street + each.me, memory.values[street]
    width, start = here.width[me], here.table[me]
    table = game.regrets if each.mode == LEARN else game.average
    ascend(game.programs, which, width, each.mode, table, start, each.above, each.below, values, game.lanes)
    alike, rows = here.first_alike[me], game.programs.list[which].table_rows
    if each.mode == LEARN and alike >= 0:
        even_out(game.boards.alike, alike, here.hands[me], width, table, start, rows)


@kernel(allocates=False)
def even_out(alike: Any, first: int, hands: int, width: int, table: Rows, start: int, rows: int) -> None:
    """Give hands that differ only by suits the same regrets: rounding would make them differ."""
    for row in range(rows):
        begin = start + row * width
        for i in range(hands):
            table[begin + i] = at(table, begin + at(alike, first + i))


@kernel(allocates=False)
def deal_down(game: Game, memory: Memory, board: int, street: int, me: int) -> None:
    """Carry the opponent's reach over to the board that follows, where its hands stand in another order."""
    boards, numbers, other = game.boards, game.programs.numbers, 1 - me
    here, source, target = boards.list[board], memory.reach[street - 1], memory.reach[street]
    before, after = game.programs.list[2 * street - 2 + me], game.programs.list[2 * street + me]
    into, hands, width = here.first_into[other], here.hands[other], here.width[other]
    wide = boards.list[here.parent].width[other]
    for way in range(before.ends):
        read, write = numbers[before.end_reach + way] * wide, numbers[after.begin_reach + way] * width
        for i in range(hands):
            store(target, write + i, at(source, read + at(boards.into, into + i)), ONE)
        for i in range(hands, width):
            store(target, write + i, np.float32(0.0), ONE)


@kernel(allocates=False)
def deal_up(game: Game, board: int, street: int, me: int, source: Rows, kept: int, target: Rows) -> None:
    """Add what hands are worth on this board, and on its copies, to what they are worth before the card.

    source  the values of this street, or, if `kept` is not negative, a scaled row for each way here from there on
    """
    boards, numbers, scales = game.boards, game.programs.numbers, game.programs.scale
    here, before, after = (
        boards.list[board],
        game.programs.list[2 * street - 2 + me],
        game.programs.list[2 * street + me],
    )
    hands, width, wide = here.hands[me], here.width[me], boards.list[here.parent].width[me]
    for way in range(before.ends):
        read, scale = kept + way * width, np.float32(1.0)
        if kept < 0:
            read, scale = numbers[after.begin_source + way] * width, scales[after.begin_source + way]
        write = numbers[before.end_value + way] * wide
        for copy in range(here.copies):
            into = here.first_into[me] + copy * width
            for i in range(hands):
                there = write + at(boards.into, into + i)
                store(target, there, at(target, there) + at(source, read + i) * scale, ONE)


@kernel(allocates=False)
def hand_over(game: Game, memory: Memory, board: int, street: int, me: int, target: Rows, first: int) -> None:
    """Copy what hands are worth at each way into the street, scaled, to rows from `first` on."""
    program, width, values = (
        game.programs.list[2 * street + me],
        game.boards.list[board].width[me],
        memory.values[street],
    )
    for way in range(program.begins):
        read = game.programs.numbers[program.begin_source + way] * width
        scale = game.programs.scale[program.begin_source + way]
        for i in range(width):
            store(target, first + way * width + i, at(values, read + i) * scale, ONE)


@kernel(allocates=False)
def clear_ends(game: Game, memory: Memory, board: int, street: int, me: int) -> None:
    program, width, values = (
        game.programs.list[2 * street + me],
        game.boards.list[board].width[me],
        memory.values[street],
    )
    for way in range(program.ends):
        begin = game.programs.numbers[program.end_value + way] * width
        for i in range(width):
            values[begin + i] = 0.0


@kernel(allocates=False)
def play_after(game: Game, memory: Memory, board: int, each: Pass, first: int, river: int) -> None:
    """All that follows when this board's card is dealt on the first board; its worth goes to `game.worth`.

    If `river` is not 0, it is the last of the rivers to be played, so that its rows stay in memory.
    """
    here, me = game.boards.list[board], each.me
    street = here.street
    deal_down(game, memory, board, street, me)
    if street == 2:
        play_river(game, memory, board, each)
    else:
        down(game, memory, board, 1, each)
        finish(game, memory, board, 1, each)
        clear_ends(game, memory, board, 1, me)
        for step in range(here.children + (river > 0)):
            following = here.first_child + step if step < here.children else river
            deal_down(game, memory, following, 2, me)
            play_river(game, memory, following, each)
            if step < here.children:
                deal_up(game, following, 2, me, memory.values[2], -1, memory.values[1])
        up(game, memory, board, 1, each)
    hand_over(game, memory, board, street, me, game.worth, first)


@kernel(allocates=False)
def begin_pass(game: Game, memory: Memory, each: Pass) -> None:
    """From the root to the first card that is dealt."""
    here, other = game.boards.list[0], 1 - each.me
    program = game.programs.list[2 * here.street + each.me]
    width, reach, weight = here.width[other], memory.reach[here.street], game.weight[other]
    begin = game.programs.numbers[program.begin_reach] * width
    for i in range(width):
        reach[begin + i] = weight[i]
    down(game, memory, 0, here.street, each)


@kernel(allocates=False)
def end_pass(game: Game, memory: Memory, each: Pass) -> None:
    """From the cards that were dealt back to the root."""
    here, me = game.boards.list[0], each.me
    finish(game, memory, 0, here.street, each)
    clear_ends(game, memory, 0, here.street, me)
    for board in range(here.first_child, here.first_child + here.children):
        deal_up(game, board, here.street + 1, me, game.worth, worth_at(game, board, me), memory.values[here.street])
    up(game, memory, 0, here.street, each)


@kernel(allocates=False)
def worth_at(game: Game, board: int, me: int) -> int:
    """Where the rows of a board that follows the first begin in `game.worth`."""
    here = game.boards.list[0]
    return (board - here.first_child) * game.programs.list[2 * here.street + me].ends * here.width[me]


@kernel(allocates=False)
def pass_of(me: int, mode: int, t: int) -> Pass:
    """What iteration t, from 1, does for a side."""
    grown = float(t) ** POSITIVE
    decay = ((t - 1.0) / t) ** LATER
    return Pass(me, mode, decay, grown / (grown + 1.0), NEGATIVE)


@kernel(allocates=False)
def root_worth(game: Game, memory: Memory, me: int) -> float:
    """What the side wins in the last pass over all deals, each as often as it is dealt."""
    here = game.boards.list[0]
    program, values = game.programs.list[2 * here.street + me], memory.values[here.street]
    begin, total = game.programs.numbers[program.begin_source] * here.width[me], 0.0
    for i in range(here.hands[me]):
        total += float(game.weight[me][i]) * float(values[begin + i])
    return total * game.programs.scale[program.begin_source]


class Task(NamedTuple):
    """What `work` is to do: passes for one side after the other.

    first   the number of the first iteration
    learn   how many passes learn
    look    how many passes follow in which nothing is learned
    mode    what the side that they are for then does, BEST or AVERAGE
    side    the side of the first pass
    phases  as bits: 1 from the root to the first card, 2 back to the root
    begin   of the boards that follow the first, those from this one
    end     up to this one, not included
    river   the river to be played last, so that its rows stay in memory; 0 for any
    """

    first: int
    learn: int
    look: int
    mode: int
    side: int
    phases: int
    begin: int
    end: int
    river: int = 0


@kernel(allocates=False)
def work(game: Game, memory: Memory, task: Task) -> float:
    """Do some passes, or parts of one; what is won in those that only look, added up over all deals.

    This is all that Python calls, so that everything is compiled once.
    """
    total = 0.0
    for step in range(task.learn + task.look):
        learning = step < task.learn
        each = pass_of((task.side + step) & 1, LEARN if learning else task.mode, task.first + (step >> 1))
        if task.phases & 1:
            begin_pass(game, memory, each)
        for board in range(task.begin, task.end):
            play_after(game, memory, board, each, worth_at(game, board, each.me), task.river)
        if task.phases & 2:
            end_pass(game, memory, each)
        if not learning:
            total += root_worth(game, memory, each.me)
    return total


def memory_for(game: Game) -> Memory:
    """Memory for one thread."""
    boards, programs = game.boards.list, game.programs.list
    widths = [boards["width"][boards["street"] == street].max(axis=0, initial=8).tolist() for street in range(3)]
    sizes = []
    for name, of in (("reach_rows", 1), ("value_rows", 0)):
        for street in range(3):
            sizes.append(max(int(programs[2 * street + me][name]) * widths[street][me ^ of] for me in (0, 1)))
    rows = [zeros(max(size, 8)) for size in sizes]
    widest = max(max(pair) for pair in widths)
    columns, beaten, dealt, cards = memory(widest, int(programs["blocks"].max()))
    return Memory((rows[0], rows[1], rows[2]), (rows[3], rows[4], rows[5]), (columns, beaten, dealt, cards))

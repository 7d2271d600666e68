"""Discounted counterfactual regret minimisation on whole ranges: every number of the textbook is a row, hand by hand.

A street's betting is the same on every board, so it is written down once for each side, as a `Program`. An iteration
walks over the boards for one side: down each street with the rows that say how likely the opponent gets there with
each hand, a sweep over all its showdowns and folds at once, and up again with what the side's own hands are worth.
Cards are dealt between two streets, where hands change places: rivers have them in order of strength.

Regrets are discounted as by Brown and Sandholm (2019), with α 1.5, β 0 and γ 3; one side is updated after the other.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fifthstreet.kernel import kernel
from fifthstreet.record import rows_of
from fifthstreet.solvers.betting_tree import DEAL, FOLD, SHOWDOWN
from fifthstreet.solvers.boards import Boards, Hands
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
    """Where the programs have the rows of each node: by the side that they are for, and by number of the node."""

    reach: Any  # (2, nodes)
    value: Any
    scale: Any  # what the values are to be multiplied by
    table: Any  # (nodes,)


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


def programs_of(nodes: Any, children: Any, half_pot: float, locked: Any) -> tuple[Programs, Places]:
    """The programs for a betting tree, and where they have what. At nodes that are `locked` nothing is learned."""
    count = len(nodes)
    rows = np.zeros((2, 2, count), np.int32)
    places = Places(rows[0], rows[1], np.zeros((2, count)), np.zeros(count, np.int32))
    programs, work = rows_of(6, PROGRAM), np.zeros((3, 2 * count + 8), np.int32)
    numbers, scale = np.zeros(32 * count + 64, np.int32), np.zeros(32 * count + 64, np.float32)
    used = write_programs(nodes, children, half_pot, locked, programs, numbers, scale, places, work)
    return Programs(programs, numbers[:used].copy(), scale[:used].copy()), places


@kernel(allocates=False)
def write_programs(
    nodes: Any,
    children: Any,
    half_pot: float,
    locked: Any,
    programs: Any,
    numbers: Numbers,
    scale: Rows,
    places: Places,
    work: Any,
) -> int:
    """Write all programs; how many of the numbers they use."""
    used = 0
    for street in range(3):
        for me in range(2):
            program = programs[2 * street + me]
            count, swept = place_reach(nodes, children, street, me, places, work, program)
            used = write_blocks(work, count, swept, numbers, used, program)
            rows = place_values(nodes, street, me, half_pot, swept, places, work)
            program.reach_rows, program.value_rows = max(swept, work[2, 0]), rows
            used = write_steps(nodes, children, street, me, locked, numbers, scale, used, places, program)
            used = write_ways(nodes, street, me, numbers, scale, used, places, program)
    return used


@kernel(allocates=False)
def place_reach(
    nodes: Any, children: Any, street: int, me: int, places: Places, work: Any, program: Any
) -> tuple[int, int]:
    """Give each node its row of reach; how many rows there are, and how many of them, filled up, are swept.

    Rows that are swept come first, those for showdowns alone before the others, those for folds alone last.
    `work` becomes what each row is needed for as they were found, its final place, and how many there are in the end.
    """
    count, mine, theirs = 0, 0, 0
    needs, final = work[0], work[1]
    for n in range(nodes.size):
        node = nodes[n]
        if node.street != street:
            continue
        if n == 0 or nodes[node.parent].actor == DEAL:
            places.reach[me, n] = count
            needs[count] = 0
            count += 1
        here = places.reach[me, n]
        if node.actor < 2:
            for k in range(node.first_child, node.first_child + node.children):
                places.reach[me, children[k]] = here if node.actor == me else count
                if node.actor != me:
                    needs[count] = 0
                    count += 1
            places.table[n] = mine if node.actor == me else theirs
            mine += node.children * (node.actor == me)
            theirs += node.children * (node.actor != me)
        elif node.actor != DEAL:
            needs[here] |= FOLDS if node.actor == FOLD else SHOWDOWNS
    program.table_rows = mine
    order = 0
    for kind in (SHOWDOWNS, SHOWDOWNS | FOLDS, FOLDS):
        for row in range(count):
            if needs[row] == kind:
                final[row] = order
                order += 1
    swept = (order + 7) // 8 * 8
    other = swept
    for row in range(count):
        if needs[row] == 0:
            final[row] = other
            other += 1
    for n in range(nodes.size):
        if nodes[n].street == street:
            places.reach[me, n] = final[places.reach[me, n]]
    work[2, 0] = other
    return count, swept


@kernel(allocates=False)
def write_blocks(work: Any, count: int, swept: int, numbers: Numbers, used: int, program: Any) -> int:
    program.needs, program.blocks = used, swept // 8
    for row in range(count):
        if work[0, row]:
            numbers[used + work[1, row] // 8] |= work[0, row]
    return used + swept // 8


@kernel(allocates=False)
def place_values(nodes: Any, street: int, me: int, half_pot: float, swept: int, places: Places, work: Any) -> int:
    """Give each node its row of values, and what that is to be multiplied by; how many rows there are."""
    rows, live = 2 * swept, 45 - street  # cards that may be dealt after the street
    for n in range(nodes.size):
        node = nodes[n]
        if node.street != street:
            continue
        reach = places.reach[me, n]
        if node.actor == SHOWDOWN:
            places.value[me, n], places.scale[me, n] = reach, half_pot + node.paid[me]
        elif node.actor == FOLD:
            won = half_pot + min(node.paid[0], node.paid[1])
            places.value[me, n] = swept + reach
            places.scale[me, n] = won if node.paid[me] > node.paid[1 - me] else -won
        else:
            places.value[me, n], places.scale[me, n] = rows, 1.0 / live if node.actor == DEAL else 1.0
            rows += 1
    return rows


@kernel(allocates=False)
def write_steps(
    nodes: Any,
    children: Any,
    street: int,
    me: int,
    locked: Any,
    numbers: Numbers,
    scale: Rows,
    used: int,
    places: Places,
    program: Any,
) -> int:
    """What is done at each node: downwards in the order of the lines, and upwards."""
    forward, backward, to, source = 0, 0, 0, 0
    for n in range(nodes.size):
        if nodes[n].street == street and nodes[n].actor < 2:
            backward += 1
            forward += nodes[n].actor != me
    program.forward, program.forward_count = used, forward
    program.backward, program.backward_count = used + 5 * forward, backward
    program.to = program.backward + 6 * backward
    step = program.forward
    for n in range(nodes.size):
        node = nodes[n]
        if node.street == street and node.actor == 1 - me:
            numbers[step], numbers[step + 1], numbers[step + 2] = places.table[n], node.children, places.reach[me, n]
            numbers[step + 3], numbers[step + 4] = to, locked[n]
            for k in range(node.first_child, node.first_child + node.children):
                numbers[program.to + to] = places.reach[me, children[k]]
                to += 1
            step += 5
    program.source = program.to + to
    step = program.backward
    for n in range(nodes.size - 1, -1, -1):
        node = nodes[n]
        if node.street == street and node.actor < 2:
            numbers[step], numbers[step + 1], numbers[step + 2] = node.actor == me, node.children, places.value[me, n]
            numbers[step + 3], numbers[step + 4], numbers[step + 5] = places.table[n], source, locked[n]
            for k in range(node.first_child, node.first_child + node.children):
                numbers[program.source + source] = places.value[me, children[k]]
                scale[program.source + source] = places.scale[me, children[k]]
                source += 1
            step += 6
    return int(program.source + source)


@kernel(allocates=False)
def write_ways(
    nodes: Any,
    street: int,
    me: int,
    numbers: Numbers,
    scale: Rows,
    used: int,
    places: Places,
    program: Any,
) -> int:
    """The ways into the street and out of it."""
    begins, ends = 0, 0
    for n in range(nodes.size):
        if nodes[n].street == street:
            begins += n == 0 or nodes[nodes[n].parent].actor == DEAL
            ends += nodes[n].actor == DEAL
    program.begins, program.begin_reach, program.begin_source = begins, used, used + begins
    program.ends, program.end_reach, program.end_value = ends, used + 2 * begins, used + 2 * begins + ends
    begin, end = 0, 0
    for n in range(nodes.size):
        if nodes[n].street != street:
            continue
        if n == 0 or nodes[nodes[n].parent].actor == DEAL:
            numbers[program.begin_reach + begin] = places.reach[me, n]
            numbers[program.begin_source + begin] = places.value[me, n]
            scale[program.begin_source + begin] = places.scale[me, n]
            begin += 1
        if nodes[n].actor == DEAL:
            numbers[program.end_reach + end] = places.reach[me, n]
            numbers[program.end_value + end] = places.value[me, n]
            end += 1
    return used + 2 * begins + 2 * ends


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


class Room(NamedTuple):
    """How many numbers of each kind there must be."""

    table: int
    worth: int
    reach: tuple[int, int, int]  # by street
    values: tuple[int, int, int]
    widest: int  # hands
    blocks: int


def room_for(boards: Boards, programs: Programs) -> Room:
    """Give each board its place in the tables, and say how much room everything takes."""
    found = np.zeros(10, np.int64)
    lay_out(boards.list, programs.list, found)
    table, worth, *rows, widest, blocks = found.tolist()
    return Room(table, worth, (rows[0], rows[1], rows[2]), (rows[3], rows[4], rows[5]), widest, blocks)


@kernel(allocates=False)
def lay_out(boards: Any, programs: Any, found: Any) -> None:
    table = 0
    for board in range(boards.size):
        here = boards[board]
        for me in range(2):
            program = programs[2 * here.street + me]
            here.table[me] = table
            table += here.width[me] * program.table_rows
            street, theirs = here.street, here.width[1 - me]
            found[2 + street] = max(found[2 + street], program.reach_rows * theirs)
            found[5 + street] = max(found[5 + street], program.value_rows * here.width[me])
            found[8], found[9] = max(found[8], theirs), max(found[9], program.blocks)
    first = boards[0]
    ways = programs[2 * first.street].ends
    found[0], found[1] = table, first.children * ways * max(first.width[0], first.width[1])


def memory_for(room: Room) -> Memory:
    """Memory for one thread."""
    rows = zeros(*room.reach, *room.values, *memory(room.widest, room.blocks))
    return Memory((rows[0], rows[1], rows[2]), (rows[3], rows[4], rows[5]), (rows[6], rows[7], rows[8], rows[9]))


@kernel(allocates=False)
def weigh(boards: Boards, hands: Hands, weight: tuple[Rows, Rows], sums: Any) -> float:
    """Write down the weights in the order of the first board; the weight of all deals of hands that share no card.

    `sums` is memory of (2, 53): by side, the weight of each card's hands, and of all.
    """
    here, same = boards.list[0], 0.0
    for side in range(2):
        for i in range(here.hands[side]):
            number = hands.start[side] + boards.hand[here.first_hand[side] + i]
            each, twin = hands.weight[number], hands.same[number]
            weight[side][i] = each
            sums[side, 52] += each
            for k in range(2):
                sums[side, hands.cards[number, k]] += each
            if side == 0 and twin >= 0:
                same += float(each) * hands.weight[hands.start[1] + twin]
    total = sums[0, 52] * sums[1, 52] + same
    for card in range(52):
        total -= sums[0, card] * sums[1, card]
    return float(total)

"""Finished boards as arrays, and what the evaluations would have said about them on the way."""

import numpy as np
from numpy.typing import NDArray

from fifthstreet.agents.five_o.chances import count_card
from fifthstreet.agents.five_o.hands import LEFT, full_value
from fifthstreet.agents.five_o.states import difference, hand_value
from fifthstreet.games.deck import CARDS
from fifthstreet.games.five_o import COLUMNS, ROWS, FiveOState
from fifthstreet.kernel import kernel

Boards = NDArray[np.int64]
"""Cards by game, seat, column and row."""

Numbers = NDArray[np.float64]


@kernel(allocates=False)
def note_board(state: FiveOState, notes: NDArray[np.float32], payoffs: Numbers) -> None:
    """Add the cards of a finished game to `notes`; the first number there counts the games."""
    place = 1 + 50 * int(notes[0])
    for seat in range(2):
        for column in range(COLUMNS):
            for row in range(ROWS):
                notes[place] = state.cards[seat, column, row]
                place += 1
    notes[0] += 1


@kernel
def strengths_on(boards: Boards, out: Numbers) -> None:
    """The strength of every finished column, by game and seat."""
    for game in range(boards.shape[0]):
        for seat in range(2):
            for column in range(COLUMNS):
                out[game, seat, column] = full_value(boards[game, seat, column])


@kernel
def values_on(boards: Boards, rows: int, kind: int, out: Numbers) -> None:
    """The value of every column when this many rows were full."""
    board, left = np.empty((2, COLUMNS, ROWS), np.int64), np.empty(LEFT, np.int64)
    for game in range(boards.shape[0]):
        left[:], board[:] = 0, -1
        for card in range(CARDS):
            count_card(left, card, 1)
        for seat in range(2):
            for column in range(COLUMNS):
                for row in range(rows):
                    board[seat, column, row] = boards[game, seat, column, row]
                    count_card(left, board[seat, column, row], -1)
        for seat in range(2):
            for column in range(COLUMNS):
                out[game, seat, column] = hand_value(board, seat, column, 10 * (rows - 1), left, kind)


@kernel
def differences_of(values: Numbers, kind: int, out: Numbers) -> None:
    """By how much every column of the first seat is ahead, less by how much the second seat's is."""
    for game in range(values.shape[0]):
        for column in range(COLUMNS):
            first, second = values[game, 0, column], values[game, 1, column]
            out[game, column] = difference(first, second, kind) - difference(second, first, kind)

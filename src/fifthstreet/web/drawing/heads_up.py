"""A moment of a hold'em hand as a heads-up spot: the street from its beginning, and the line that led to the moment."""

from collections.abc import Sequence

from fifthstreet.cards import show
from fifthstreet.games.betting import CALL
from fifthstreet.games.holdem import HoldemState
from fifthstreet.web.drawing.face import Json

STREETS = {2: "turn", 3: "river"}
BETS, RAISES = "66%", "100%"  # offered besides the sizes that were played
LATER = "river 75% all-in / all-in"
RAISE_CAP = 2
MOST_SIZES = 4  # of those that were played


def heads_up(states: Sequence[HoldemState], actions: Sequence[int]) -> Json | None:
    """The last state as a spot, if two players are left on the turn or river and one of them is to act.

    What players who folded on this street have put in is in the pot from the start. `first` is the number of the state
    with which the street began, `held` what the player to act holds.
    """
    now = states[-1]
    left = [seat for seat in range(now.seats) if not now.folded[seat]]
    if now.street not in STREETS or len(left) != 2 or now.actor < 0:
        return None
    first = next(i for i, state in enumerate(states) if state.street == now.street)
    start = states[first]
    stack = min(start.stacks[seat] for seat in left)
    dead = sum(now.wagered[seat] - start.wagered[seat] for seat in range(now.seats) if now.folded[seat])
    if stack <= 0:
        return None
    line, bets, raises = _line(states[first:], actions[first:], left, stack)
    street = STREETS[now.street]
    bet_sizes = " ".join([BETS, *_chips(bets), "all-in"])
    raise_sizes = " ".join([RAISES, *_chips(raises), "all-in"])
    return {
        "board": show(now.board_cards),
        "pot": start.pot + dead,
        "stack": stack,
        "sizes": f"{street} {bet_sizes} / {raise_sizes}" + (f"; {LATER}" if street == "turn" else ""),
        "raise_cap": max(RAISE_CAP, len(raises)),
        "line": line,
        "seats": left,  # out of position, in position
        "to_act": left.index(now.actor),
        "held": show(sorted(now.hand(now.actor), reverse=True)),
        "first": first,
    }


def _chips(amounts: Sequence[int]) -> list[str]:
    """Sizes as they were played, each once, and not too many to be solved."""
    return [f"{amount}c" for amount in dict.fromkeys(amounts)][:MOST_SIZES]


def _line(
    states: Sequence[HoldemState], actions: Sequence[int], seats: Sequence[int], stack: int
) -> tuple[list[str], list[int], list[int]]:
    """What the two did on this street, as if nobody else had been there; their bets, and by how much they raised."""
    line: list[str] = []
    bets: list[int] = []
    raises: list[int] = []
    put = dict.fromkeys(seats, 0)
    for state, action in zip(states, actions, strict=False):
        me = state.actor
        if me not in put:
            continue
        other = put[seats[1 - seats.index(me)]]
        amount = min(state.bets[me] + state.to_call if action == CALL else action, stack)
        put[me] = amount
        if amount <= other:
            line.append("call" if other else "check")
            continue
        if line == ["check", "check"]:  # to somebody who has folded since
            line.clear()
        (raises if other else bets).append(amount - other)
        line.append(f"allin {amount}" if amount == stack else f"{'raise' if other else 'bet'} {amount}")
    return line, bets, raises

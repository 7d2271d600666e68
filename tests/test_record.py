"""Records are values, the same in Python and in kernels, and whatever comes from outside is checked."""

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest

from fifthstreet import Agent, Decision, InputError, Turn, match
from fifthstreet.games.holdem import Holdem, HoldemState, HoldemTable, HoldemView
from fifthstreet.games.kuhn import Kuhn, KuhnState
from fifthstreet.kernel import kernel
from fifthstreet.record import Field, Grid, Record, Row, copy_bytes, one_record


class Entry(Record):
    amount: Annotated[int, Field()]
    seat: Annotated[int, Field(np.int8, low=0, high=9)]


class Shared(Record):
    last = ("history",)

    street: Annotated[int, Field(np.int8, low=0, high=3)]
    stacks: Annotated[Row, Field(np.int64, shape=3)]
    cards: Annotated[Grid, Field(np.int8, shape=(3, 2), low=-1, high=51)]
    history: Annotated[Any, Field(Entry, shape=4)]


class Whole(Shared):
    deck: Annotated[Row, Field(np.int8, shape=5, low=0, high=51)]

    def contradiction(self) -> str:
        return "" if len({*self.deck}) in (1, 5) else "a card is in the deck twice"


class Seen(Shared):
    seat: Annotated[int, Field(np.int8, low=0, high=2)]


SEEN = Seen.of(street=2, stacks=[5, 6, 7], cards=[[1, 2], [-1, -1], [51, 50]], seat=1)
HEAD = Shared.head


@kernel
def total(record: Shared) -> int:
    return record.stacks[0] + record.stacks[1] + record.stacks[2]


@kernel
def product(record: Shared) -> int:
    return record.cards[2, 0] * record.cards[2, 1] * record.street


@kernel(changes="record")
def pay(record: Shared, seat: int, amount: int) -> None:
    record.stacks[seat] -= amount
    record.history[0].amount = amount
    record.history[0].seat = seat


@kernel(changes="out")
def show(source: Shared, seat: int, out: Seen) -> None:
    copy_bytes(source, out, HEAD)
    out.seat = seat


WHOLE = Whole.dtype


@kernel
def worked_out(number: int) -> int:
    return in_scratch(one_record(WHOLE), number)


@kernel
def in_scratch(records: Sequence[Whole], number: int) -> int:
    record = records[0]
    before = record.stacks[1]
    record.stacks[1] = number
    return before + 2 * record.stacks[1]


def test_fields_are_read_by_name() -> None:
    assert (SEEN.street, SEEN.seat, [*SEEN.stacks], SEEN.cards[2, 0], SEEN.cards[2, 1]) == (2, 1, [5, 6, 7], 51, 50)
    assert [int(entry.amount) for entry in SEEN.history] == [0, 0, 0, 0]
    assert "street=2" in repr(SEEN) and "stacks=(5, 6, 7)" in repr(SEEN)


def test_equal_values_are_equal_and_have_the_same_hash() -> None:
    same = Seen.of(street=2, stacks=(5, 6, 7), cards=np.array([[1, 2], [-1, -1], [51, 50]]), seat=1)
    assert same == SEEN and hash(same) == hash(SEEN) and same is not SEEN
    assert SEEN.replace(seat=2) != SEEN
    assert SEEN.replace(seat=2).replace(seat=1) == SEEN
    assert Whole.blank().freeze() != Seen.blank().freeze()


@pytest.mark.parametrize("twin", [lambda r: pickle.loads(pickle.dumps(r)), copy.copy, copy.deepcopy])
def test_copies_are_equal(twin: Any) -> None:
    assert twin(SEEN) == SEEN
    thawed = SEEN.thaw()
    copied = twin(thawed)
    pay(thawed, 0, 3)
    assert copied == SEEN != thawed


@pytest.mark.parametrize(
    "change",
    [
        lambda r: setattr(r, "street", 1),
        lambda r: setattr(r, "stacks", [1, 1, 1]),
        lambda r: setattr(r, "history", 0),
        lambda r: setattr(r, "data", bytes(r.size)),
        lambda r: setattr(r, "streeet", 1),
        lambda r: delattr(r, "data"),
        lambda r: delattr(r, "street"),
        lambda r: r.stacks.__setitem__(0, 9),
        lambda r: r.cards.__setitem__((0, 0), 9),
        lambda r: r.history[0].__setattr__("amount", 9),
        lambda r: r.history.setflags(write=True),
        lambda r: np.frombuffer(r.data, np.uint8).__setitem__(0, 1),
        lambda r: memoryview(r.data).__setitem__(0, 1),
        lambda r: r.__init__(bytes(r.size)),
        lambda r: pay(r, 0, 3),
        lambda r: pay(record=r, seat=0, amount=3),
        lambda r: show(r, 0, r),
        lambda r: copy_bytes(Seen.blank(), r, HEAD),
    ],
)
def test_a_frozen_record_refuses_every_change(change: Any) -> None:
    record = SEEN.thaw().freeze()
    with pytest.raises((AttributeError, TypeError, ValueError, AssertionError)):
        change(record)
    assert record == SEEN


def test_a_thawed_record_can_be_changed_by_python_and_by_kernels() -> None:
    record = SEEN.thaw()
    record.street = 3
    record.stacks[0] = 50
    record.cards[1, 1] = 7
    pay(record, 0, 8)
    assert (record.street, list(record.stacks), record.cards[1, 1], total(record)) == (3, [42, 6, 7], 7, 55)
    assert (record.history[0].amount, record.history[0].seat) == (8, 0)
    assert [*record.freeze().stacks] == [42, 6, 7]
    assert record.freeze().freeze() == record.freeze()
    assert [*SEEN.stacks] == [5, 6, 7]


def test_a_blank_record_is_zero() -> None:
    assert Seen.blank() == Seen.of()
    assert total(Seen.blank()) == 0


def test_kernels_calculate_with_more_bits_than_are_stored() -> None:
    assert product(SEEN) == product.function(SEEN.thaw()) == 51 * 50 * 2


def test_classes_with_a_common_base_share_its_head() -> None:
    whole, out = Whole.of(street=3, stacks=[1, 2, 3], deck=range(5)), Seen.blank()
    show(whole, 2, out)
    assert (out.street, list(out.stacks), out.seat) == (3, [1, 2, 3], 2)
    assert [*Seen.fields][:3] == [*Whole.fields][:3] == ["street", "stacks", "cards"]
    assert [*Seen.fields][-1] == [*Whole.fields][-1] == "history"
    assert all(HoldemState.dtype.fields[name] == HoldemView.dtype.fields[name]  # type: ignore[index]
               for name in HoldemTable.fields if name != "history")  # fmt: skip


def test_the_first_base_decides_the_range_of_a_field_that_both_store_alike() -> None:
    class Wide(Record):
        dealt: Annotated[int, Field(np.int64, high=52)]
        deck: Annotated[int, Field(np.int64)]

    class Narrow(Record):
        dealt: Annotated[int, Field(np.int64, high=2)]

    class Both(Narrow, Wide):
        pass

    assert Both.fields["dealt"] == Narrow.fields["dealt"]

    class Small(Record):
        dealt: Annotated[int, Field(np.int8, high=2)]

    with pytest.raises(TypeError, match="'dealt' of Wrong is stored in two ways by its bases"):

        class Wrong(Small, Wide):
            pass


def test_a_kernel_may_work_in_a_record_of_its_own() -> None:
    assert worked_out(21) == 42


@pytest.mark.parametrize("name", ["view", "data", "size", "of"])
def test_names_that_mean_something_else_are_refused(name: str) -> None:
    with pytest.raises(TypeError, match=f"'{name}' cannot be a field of Wrong"):
        exec(f"class Wrong(Record): {name}: Annotated[int, Field()]", globals())


def altered(record: Record, **values: int) -> bytes:
    row = np.frombuffer(bytearray(record.data), record.dtype)
    for name, value in values.items():
        row[name] = value
    return row.tobytes()


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Seen(b"short"), f"5: a Seen is {Seen.size} bytes"),
        (lambda: Seen(bytes(SEEN.data) + b"\0"), f"{Seen.size + 1}: a Seen is {Seen.size} bytes"),
        (lambda: Seen(bytearray(SEEN.data)), f"bytearray: a Seen is {Seen.size} bytes"),  # type: ignore[arg-type]
        (lambda: Seen(altered(SEEN, street=4)), "street=4 in a Seen: it is from 0 to 3"),
        (lambda: Seen(altered(SEEN, street=-1)), "street=-1 in a Seen: it is from 0 to 3"),
        (lambda: Seen(altered(SEEN, cards=52)), "cards=52 in a Seen: it is from -1 to 51"),
        (lambda: Seen.of(street=4), "street=4 in a Seen"),
        (lambda: SEEN.replace(seat=3), "seat=3 in a Seen"),
        (lambda: Seen.of(streeet=4), "'streeet' is not a field of Seen: there are street, stacks"),
        (lambda: Seen.of(street=1000), "street=1000 does not fit into a Seen"),
        (lambda: Seen.of(stacks=[1, 2]), "stacks=[1, 2] does not fit into a Seen"),
        (lambda: Seen.of(street="flop"), "street=flop does not fit into a Seen"),
        (lambda: Whole.of(deck=[1, 1, 2, 3, 4]), "this is not a Whole: a card is in the deck twice"),
        (lambda: KuhnState.of(dealt=2, cards=[1, 1]), "this is not a KuhnState: the cards [1, 1] with 2 dealt"),
        (lambda: HoldemState(bytes(HoldemState.size)), "this is not a HoldemState"),
    ],
)
def test_what_comes_from_outside_is_checked(make: Any, said: str) -> None:
    with pytest.raises(InputError) as error:
        make()
    assert str(error.value).startswith(said)


def test_an_entry_out_of_range_is_named() -> None:
    row = np.frombuffer(bytearray(SEEN.data), Seen.dtype)
    row["history"]["seat"][0, 2] = 10
    with pytest.raises(InputError, match=r"history.seat=10 in a Seen: it is from 0 to 9"):
        Seen(row.tobytes())


def test_a_pickle_that_was_tampered_with_is_refused() -> None:
    state = Kuhn().start()
    text = pickle.dumps(state).replace(state.data, altered(state, dealt=3))
    with pytest.raises(InputError, match="dealt=3"):
        pickle.loads(text)


def test_every_state_and_view_of_a_hand_can_be_pickled() -> None:
    """Also of a hand that ended before the flop, with most cards in the deck."""
    game = Holdem(seats=3)
    for action in (-1, 0):  # everybody folds, everybody calls
        state = game.start()
        while (seat := game.to_act(state)) is not None:
            choices = game.choices(state)
            state = game.after(state, choices[0] if seat < 0 else action if action in choices else 0)
            for record in (state, *(game.view(state, seat) for seat in range(3))):
                assert pickle.loads(pickle.dumps(record)) == record


def test_a_record_of_another_game_is_refused() -> None:
    with pytest.raises(InputError, match="this is a KuhnState, and holdem is played with a HoldemState"):
        Holdem().after(Kuhn().start(), 0)  # type: ignore[arg-type]


def test_machine_code_is_chosen_by_everything_it_depends_on() -> None:
    """A kernel compiled for one type of array, tuple or function is not called with another."""

    @kernel
    def first(record: Shared, numbers: Any) -> Any:
        return record.street + numbers[0]

    for kind in (np.int8, np.int64, np.float32, np.float64):
        assert first(SEEN, np.array([3, 4], kind)) == 5
        assert first(SEEN, np.array([3, 4, 5, 6], kind)[::2]) == 5
        assert first(SEEN, (kind(3), kind(4))) == 5


PLAIN = """
import test_record as t
assert t.product(t.SEEN) == 51 * 50 * 2 and t.total(t.SEEN) == 18 and t.worked_out(21) == 42
record = t.SEEN.thaw()
t.pay(record, 0, 3)
out = t.Seen.blank()
t.show(record, 2, out)
assert (list(out.stacks), out.seat) == ([2, 6, 7], 2)
try:
    t.pay(t.SEEN, 0, 3)
except TypeError:
    print("plain", t.SEEN.stacks)
"""


def test_plain_python_treats_records_the_same() -> None:
    done = run("-c", PLAIN, NUMBA_DISABLE_JIT="1", PYTHONPATH=os.pathsep.join([str(Path(__file__).parent), *sys.path]))
    assert done.stdout == "plain (5, 6, 7)\n", done.stderr


def run(*words: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    variables = os.environ | {"FIFTHSTREET_QUIET": "1"} | environment
    return subprocess.run([sys.executable, *words], env=variables, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize(("setting", "tries"), [("NUMBA_BOUNDSCHECK", "400"), ("NUMBA_DISABLE_JIT", "25")])
def test_records_from_outside_cannot_corrupt_a_game(setting: str, tries: str) -> None:
    """Thousands of tampered states and views: each is refused, or a game can be played on from it to the end."""
    done = run(str(Path(__file__).parent / "hostile_records.py"), tries, **{setting: "1"})
    assert done.returncode == 0, done.stderr


@kernel
def scribble(view: HoldemTable, mind: Any, rng: Any) -> int:
    for seat in range(10):
        view.stacks[seat] = 10**9
        view.cards[seat, 0] = seat
    view.pot = view.actor = view.live = 0
    return 0


class Vandal(Agent):
    """Checks and calls, and tries to change everything that it is given."""

    kept: list[HoldemView] = []  # noqa: RUF012

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        for record in (turn.view, turn.game.start()):
            for change in (
                lambda r: setattr(r, "pot", 0),
                lambda r: r.stacks.__setitem__(0, 10**9),
                lambda r: setattr(r, "data", bytes(r.size)),
                lambda r: r.history.setflags(write=True),
            ):
                with pytest.raises((AttributeError, TypeError, ValueError)):
                    change(record)
        for old in (*self.kept, turn.view, turn.view.thaw()):  # a kernel that does not say what it changes
            scribble(old, turn.mind, turn.rng.state)
        scribble(turn.game.start(), turn.mind, turn.rng.state)
        self.kept.append(turn.view)
        return Decision(0)

    @property
    def learns(self) -> bool:
        return True


class Caller(Agent):
    """Checks and calls."""

    def decide(self, turn: Turn[HoldemView]) -> Decision:
        scribbled = turn.view.thaw()
        scribble(scribbled, turn.mind, turn.rng.state)
        return Decision(0)

    @property
    def learns(self) -> bool:
        return True


def test_an_agent_that_changes_what_it_is_given_changes_nothing_else() -> None:
    spoilt = match("holdem:seats=3", [Vandal(), "honest", "honest"], 20, 1)
    usual = match("holdem:seats=3", [Caller(), "honest", "honest"], 20, 1)
    assert np.array_equal(spoilt.by_deal, usual.by_deal)


def test_a_record_of_one_byte_shares_its_memory_with_nothing() -> None:
    """Python has one object for each single byte, which a kernel must never write to."""

    class Tiny(Record):
        flag: Annotated[int, Field(np.int8)]

    assert isinstance(Tiny.unseen().data, bytearray)
    assert isinstance(Tiny.of(flag=1).data, bytes)

"""Every pot, who won it and how much: as the rules say, and in the picture of the table."""

from typing import Any

from fifthstreet.games import game_named
from fifthstreet.games.game import CHANCE
from fifthstreet.rng import stream
from fifthstreet.web.drawing.betting import awards
from fifthstreet.web.hand_in_play import Deal, Hand
from fifthstreet.web.snapshot import EVERYTHING, scene

GAMES = ("holdem", "holdem:ante=2,ante_by=big-blind", "holdem:ante=3", "five-card-draw:ante=4")


def test_the_pots_add_up_to_what_everybody_wins() -> None:
    rng, seen = stream(1, "pots"), set()
    for number in range(600):
        name = GAMES[number % len(GAMES)]
        seats = 2 + rng.below(4)
        rules: Any = game_named(name, seats)
        game = rules.seated(tuple(range(seats)), tuple(1 + rng.below(60) for _ in range(seats)))
        state = game.start()
        while (seat := game.to_act(state)) is not None:
            choices = game.choices(state)
            # Mostly calls and all-ins, so that several are in several pots.
            pick = rng.below(len(choices)) if seat == CHANCE or rng.below(3) == 0 else rng.below(2) * (len(choices) - 1)
            state = game.after(state, choices[pick])
        found = awards(state)
        got = [0] * seats
        for award in found:
            assert award["pot"] == sum(each["chips"] for each in award["to"])
            assert not award["uncalled"] or len(award["to"]) == 1
            for each in award["to"]:
                got[each["seat"]] += each["chips"]
        assert got == [state.won[seat] for seat in range(seats)], (name, state, found)
        seen.add((sum(not award["uncalled"] for award in found), max(len(award["to"]) for award in found) > 1))
    assert {(1, False), (1, True), (2, False), (3, False)} <= seen


def test_the_picture_names_chairs_and_nothing_before_the_end() -> None:
    hand = Hand(Deal("holdem", (2, 0, 1), (10, 40, 40), f"{3:032x}"))
    names = ["A", "B", "C"]
    while not hand.over:
        assert scene(hand, names, EVERYTHING)["awards"] == []
        hand.act(hand.state.max_raise or 0)
    shown = scene(hand, names, EVERYTHING)
    pots = [award["pot"] for award in shown["awards"]]
    assert pots == shown["pots"] == [30, 60]
    won = {chair: -10 if chair == 2 else -40 for chair in range(3)}
    for award in shown["awards"]:
        for each in award["to"]:
            won[each["seat"]] += each["chips"]
    assert won == {seat["seat"]: seat["won"] for seat in shown["seats"]}

"""At the usual tables there is poker to be played: most hands see a bet, and nobody plays all hands or none."""

import numpy as np
import pytest

from fifthstreet.agents.agent import Turn
from fifthstreet.games import game_named
from fifthstreet.rng import stream
from fifthstreet.web.guests import Guests, catalogue
from fifthstreet.web.statistics import deeds
from fifthstreet.web.table import PERSON, Plan, Table

HANDS = 2_000


def vpip_and_bets(game: str, players: list[str], hands: int = HANDS) -> tuple[list[float], float]:
    """How often each player puts chips in of its own will in the first round, and how many hands see a bet."""
    table, guests = Table(Plan(game, tuple(players), carry=False)), Guests()
    agents = [guests.agent(who, table.game.name) for who in players]
    minds = [np.array(agent.mind(table.game), np.float64) for agent in agents]
    acted, voluntary, bets = np.zeros(len(players)), np.zeros(len(players)), 0
    for number in range(hands):
        table.apply(table.next_hand())
        while (hand := table.hand) is not None and not hand.over:
            chair = hand.to_act
            assert chair is not None
            rng = stream(number, "chair", chair, "step", hand.changes)
            turn = Turn(hand.game, hand.view(chair), hand.game.choices(hand.state), rng, minds[chair])
            table.apply({"kind": "act", "action": int(agents[chair].decide(turn).action)})
        assert hand is not None
        done = {int(chair): deed for chair, deed in deeds(hand).items()}
        bets += any(deed["bets"] for deed in done.values())
        for chair, deed in done.items():
            acted[chair] += deed["acted"]
            voluntary[chair] += deed["voluntary"]
    return list(voluntary / acted), bets / hands


@pytest.mark.usefixtures("fixed_deals")
@pytest.mark.parametrize(
    ("game", "person"),
    [
        ("holdem", "tight-aggressive"),
        ("holdem", "honest"),
        ("holdem", "call-station"),
        ("five-card-draw", "tight-aggressive"),
        ("five-card-draw", "loose-passive"),
    ],
)
def test_everybody_plays_and_most_hands_see_a_bet(game: str, person: str) -> None:
    usual = next(each for each in catalogue(Guests()) if each["name"] == game)["usual"]
    assert usual["seats"][0] == PERSON
    options = ",".join(f"{key}={value}" for key, value in usual["options"].items())
    found, bets = vpip_and_bets(f"{game}:{options}".rstrip(":"), [person, *usual["seats"][1:]])
    assert all(0.15 <= vpip <= 0.45 for vpip in found[1:]), found
    assert bets > 0.5


def test_every_game_has_a_usual_table() -> None:
    for game in catalogue(Guests()):
        fewest, most = game["seats"]
        assert fewest <= len(game["usual"]["seats"]) <= most
        for who in game["usual"]["seats"][1:]:
            Guests().agent(who, game["name"])
        assert set(game["usual"]["options"]) <= set(game["parameters"])
        assert game_named(game["name"], len(game["usual"]["seats"]))

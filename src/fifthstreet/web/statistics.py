"""What players do and win over the hands of one or more tables, with sample sizes and intervals.

VPIP is how often a player calls, bets or raises before the flop (in draw, in the first round); PFR is how often a
player bets or raises there. Both are out of the hands in which the player acted there. Aggression is bets and raises
per call.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from fifthstreet.estimate import mean, share
from fifthstreet.web.drawing import FACES
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand_in_play import Hand
from fifthstreet.web.table import PERSON

COUNTED = {"fold": "folds", "check": "checks", "call": "calls", "bet": "bets", "raise": "bets"}
"""By the kind of a log entry: what it is counted as."""


def deeds(hand: Hand) -> Json:
    """By chair: whether it acted, called or raised in the first round, and how often it bet, called and folded."""
    found: dict[str, Json] = {}
    for step in hand.steps:
        counted = COUNTED.get(step.entry["kind"])
        if counted is None:
            continue
        nothing = dict.fromkeys(("acted", "voluntary", "raised", *COUNTED.values()), 0)
        own = found.setdefault(str(step.chair), nothing)
        own[counted] += 1
        if step.phase == 0:
            own["acted"] = 1
            own["voluntary"] |= counted in ("bets", "calls")
            own["raised"] |= counted == "bets"
    return found


def statistics(summaries: Iterable[Json]) -> Json:
    """By game and player: hands, winnings, and style of play. People count as one player, agents by name."""
    won: dict[tuple[str, str], list[float]] = {}
    totals: dict[tuple[str, str], dict[str, int]] = {}
    for hand in summaries:
        if hand["branch"] is not None:
            continue
        for chair, payoff in hand["payoffs"].items():
            key = (hand["game"], hand["chairs"][int(chair)])
            won.setdefault(key, []).append(payoff)
            total = totals.setdefault(key, {})
            for deed, count in hand["deeds"].get(chair, {}).items():
                total[deed] = total.get(deed, 0) + count
    players = [_player(game, who, payoffs, totals[game, who]) for (game, who), payoffs in won.items()]
    return {"players": sorted(players, key=lambda player: (player["game"], not player["person"], -player["hands"]))}


def _player(game: str, who: str, payoffs: Sequence[float], total: dict[str, int]) -> Json:
    found: Json = {
        "game": game,
        "title": FACES[game].title if game in FACES else game,
        "name": "You" if who == PERSON else who,
        "person": who == PERSON,
        "hands": len(payoffs),
        "won": sum(payoffs),
        "mean": mean(payoffs).to_dict(),
        "best": max(payoffs),
        "worst": min(payoffs),
    }
    if total:
        bets, calls = total["bets"], total["calls"]
        found |= {
            "vpip": _share(total["voluntary"], total["acted"]),
            "pfr": _share(total["raised"], total["acted"]),
            "aggression": {"value": bets / calls if calls else None, "bets": bets, "calls": calls},
            "folds": _share(total["folds"], bets + calls + total["folds"] + total["checks"]),
        }
    return found


def _share(part: int, of: int) -> dict[str, Any]:
    estimate = share(part, part, of).to_dict() if of else {"value": None, "ci95": None}
    return {"value": estimate["value"], "ci95": estimate["ci95"], "count": part, "of": of}

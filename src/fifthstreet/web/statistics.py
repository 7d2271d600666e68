"""What players do and win, over the hands of one table or of several: with denominators and intervals.

Deeds are counted as they were told. Who calls, bets or raises before the flop (in draw, in the first round) plays by
choice (VPIP), and who bets or raises there counts for PFR, both out of the hands in which the player acted there.
Aggression is bets and raises for each call.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from fifthstreet.estimate import mean, share
from fifthstreet.web.drawing.face import Json
from fifthstreet.web.hand import Hand
from fifthstreet.web.table import PERSON

BETS = ("bets", "raises")


def deeds(hand: Hand) -> Json:
    """By chair: whether it acted, played by choice and raised at first, and how often it bet, called and folded."""
    if not hasattr(hand.game, "stack"):
        return {}
    found: dict[str, Json] = {}
    for step in hand.steps:
        counts = dict.fromkeys(("acted", "voluntary", "raised", "bets", "calls", "folds", "checks"), 0)
        own, word = found.setdefault(str(step.chair), counts), step.told.split()[0]
        for kind, words in (("bets", BETS), ("calls", ("calls",)), ("folds", ("folds",)), ("checks", ("checks",))):
            own[kind] += word in words
        if step.phase == 0:
            own["acted"] = 1
            own["voluntary"] |= word in (*BETS, "calls")
            own["raised"] |= word in BETS
    return found


def statistics(summaries: Iterable[Json]) -> Json:
    """By player: hands, what was won, and how it was played. People count as one player, agents by name."""
    won: dict[tuple[str, str], list[float]] = {}
    totals: dict[tuple[str, str], dict[str, int]] = {}
    for hand in summaries:
        if hand["branch"] is not None:
            continue
        for chair, payoff in hand["payoffs"].items():
            who = hand["chairs"][int(chair)]
            key = (hand["game"], "You" if who == PERSON else who)
            won.setdefault(key, []).append(payoff)
            total = totals.setdefault(key, {})
            for deed, count in hand["deeds"].get(chair, {}).items():
                total[deed] = total.get(deed, 0) + count
    players = [_player(game, name, payoffs, totals[game, name]) for (game, name), payoffs in won.items()]
    return {"players": sorted(players, key=lambda player: (player["game"], player["name"] != "You", -player["hands"]))}


def _player(game: str, name: str, payoffs: Sequence[float], total: dict[str, int]) -> Json:
    found: Json = {
        "game": game,
        "name": name,
        "person": name == "You",
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

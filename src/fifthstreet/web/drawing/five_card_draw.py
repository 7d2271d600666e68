"""The face of five-card draw."""

from typing import Any

from fifthstreet.cards import parse_cards
from fifthstreet.errors import InputError
from fifthstreet.games.five_card_draw import EXCHANGE, HAND, DrawState, DrawTable, DrawView, Trade
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing import betting
from fifthstreet.web.drawing.face import Json, Picture, only, short


class DrawFace(betting.BettingFace):
    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("first round", "exchange", "second round")

    def phase(self, game: AnyGame, state: DrawState) -> int:
        return min(int(state.street), 2)

    def picture(self, game: AnyGame, view: DrawTable) -> Picture:
        seats = betting.at_seats(view)
        for seat, shown in enumerate(seats):
            cards = view.hand(seat)
            shown["cards"] = [str(card) for card in cards] or ([] if shown["folded"] else [None] * HAND)
            full = len(cards) == HAND and not shown["folded"]
            shown |= betting.made_hand(cards) if full else {"hand_name": None, "hand_kind": None}
            shown["traded"] = view.traded[seat] if view.traded[seat] >= 0 else None
        return Picture({"board": [], "pot": view.pot, "pots": betting.pots(view)}, seats)

    def choices(self, game: Any, view: DrawView) -> Json:
        if view.street == EXCHANGE:
            return {"discard": {"most": int(game.trade)}}
        return betting.choices(view)

    def action(self, game: Any, view: DrawView, given: Json) -> int:
        if view.street != EXCHANGE:
            if "discard" in given:
                raise InputError("no cards are exchanged now: this is a betting round")
            return betting.action(given, view)
        if "discard" not in given:
            raise InputError('no betting now: cards are exchanged, like {"discard": ["7h", "2c"]}')
        only(given, "discard")
        wanted = given["discard"]
        if not isinstance(wanted, list) or len(wanted) > HAND or not all(isinstance(card, str) for card in wanted):
            raise InputError(f"{short(wanted)} is not a list of cards to exchange")
        going, hand = parse_cards(" ".join(wanted)), view.hand(view.seat)
        for card in going:
            if card not in hand:
                raise InputError(f"{str(card)!r} is not in your hand")
        if len(going) > game.trade:
            raise InputError(f"{len(going)} cards: at most {game.trade} may be exchanged")
        return Trade.of(going)

    def choice(self, game: AnyGame, view: DrawView, action: int) -> Json:
        if view.street == EXCHANGE:
            return {"discard": [str(card) for card in Trade(action).cards]}
        return betting.choice(action)

    def logged(self, game: AnyGame, state: DrawState, action: int) -> Json:
        """Everybody sees how many cards are exchanged, and not which."""
        if state.street == EXCHANGE:
            count = int(action).bit_count()
            text = f"exchanges {count} card{'s' * (count > 1)}" if count else "stands pat"
            return {"kind": "exchange", "count": count, "text": text}
        return betting.logged(state, action)

    def label(self, game: AnyGame, view: DrawView, action: int) -> str:
        if view.street == EXCHANGE:
            return str(Trade(action))
        return betting.label(view, action)

"""Five-card draw as it is drawn."""

from typing import Any

from fifthstreet.cards import parse_cards
from fifthstreet.errors import InputError
from fifthstreet.evaluation.hand import describe, strength
from fifthstreet.games.five_card_draw import EXCHANGE, HAND, DrawTable, Trade
from fifthstreet.games.game import AnyGame
from fifthstreet.web.drawing import betting
from fifthstreet.web.drawing.face import Json, only, short


class DrawFace:
    title = "Five-card draw"
    seats = (2, 6)
    unit = "chips"

    def phases(self, game: AnyGame) -> tuple[str, ...]:
        return ("first round", "exchange", "second round")

    def phase(self, game: AnyGame, state: Any) -> int:
        return min(int(state.street), 2)

    def picture(self, game: AnyGame, seen: DrawTable) -> tuple[Json, list[Json]]:
        seats = betting.at_seats(seen)
        for seat, shown in enumerate(seats):
            cards = seen.hand(seat)
            shown["cards"] = [str(card) for card in cards] or ([] if shown["folded"] else [None] * HAND)
            full = len(cards) == HAND and not shown["folded"]
            shown["hand_name"] = describe(strength(cards)) if full else None
            shown["traded"] = seen.traded[seat] if seen.traded[seat] >= 0 else None
        return {"board": [], "pot": seen.pot, "pots": betting.pots(seen)}, seats

    def choices(self, game: Any, view: Any) -> Json:
        if view.street == EXCHANGE:
            return {"discard": {"most": int(game.trade)}}
        return betting.choices(view)

    def action(self, game: Any, view: Any, given: Json) -> int:
        if view.street != EXCHANGE:
            if "discard" in given:
                raise InputError("cards are not exchanged now: it is a betting round")
            return betting.action(given, view)
        if "discard" not in given:
            raise InputError('no bets now: cards are exchanged, like {"discard": ["7h", "2c"]}')
        only(given, "discard")
        wanted = given["discard"]
        if not isinstance(wanted, list) or len(wanted) > HAND or not all(isinstance(card, str) for card in wanted):
            raise InputError(f"{short(wanted)} is not a list of cards to exchange")
        going, hand = parse_cards(" ".join(wanted)), view.hand(view.seat)
        for card in going:
            if card not in hand:
                raise InputError(f"{str(card)!r} is not in your hand")
        if len(going) > game.trade:
            raise InputError(f"{len(going)} cards: at most {game.trade} may go")
        return Trade.of(going)

    def told(self, game: AnyGame, state: DrawTable, action: int) -> str:
        if state.street == EXCHANGE:
            count = int(action).bit_count()
            return "stands pat" if not count else f"exchanges {count} card{'s' * (count > 1)}"
        return betting.told(state, action)

    def label(self, game: AnyGame, view: Any, action: int) -> str:
        if view.street == EXCHANGE:
            return str(Trade(action))
        return betting.label_in(view, action)

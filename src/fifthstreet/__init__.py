"""fifthstreet: a laboratory for poker agents.

>>> from fifthstreet import evaluate, describe
>>> describe(evaluate("Ah Kh Qh Jh Th"))
'royal flush'
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from fifthstreet.agents import Agent, Decision, Turn
    from fifthstreet.arena.exploit import exploitability
    from fifthstreet.arena.match import match
    from fifthstreet.arena.play import play, replay
    from fifthstreet.arena.session import session
    from fifthstreet.arena.tournament import tournament
    from fifthstreet.cards import Card
    from fifthstreet.errors import InputError
    from fifthstreet.evaluation.discards import discards
    from fifthstreet.evaluation.equity import equity
    from fifthstreet.evaluation.hand import describe
    from fifthstreet.evaluation.preflop import preflop_table
    from fifthstreet.evaluation.strength import evaluate
    from fifthstreet.games import game_named
    from fifthstreet.solvers.push_fold import push_fold
    from fifthstreet.solvers.solution import solve
    from fifthstreet.solvers.solve_spot import solve_spot
    from fifthstreet.solvers.spot import Spot

_HOMES = {
    "Agent": "agents",
    "Decision": "agents",
    "Turn": "agents",
    "exploitability": "arena.exploit",
    "match": "arena.match",
    "play": "arena.play",
    "replay": "arena.play",
    "session": "arena.session",
    "tournament": "arena.tournament",
    "Card": "cards",
    "InputError": "errors",
    "discards": "evaluation.discards",
    "equity": "evaluation.equity",
    "describe": "evaluation.hand",
    "preflop_table": "evaluation.preflop",
    "evaluate": "evaluation.strength",
    "game_named": "games",
    "push_fold": "solvers.push_fold",
    "solve": "solvers.solution",
    "Spot": "solvers.spot",
    "solve_spot": "solvers.solve_spot",
}

__all__ = [
    "Agent",
    "Card",
    "Decision",
    "InputError",
    "Spot",
    "Turn",
    "__version__",
    "describe",
    "discards",
    "equity",
    "evaluate",
    "exploitability",
    "game_named",
    "match",
    "play",
    "preflop_table",
    "push_fold",
    "replay",
    "session",
    "solve",
    "solve_spot",
    "tournament",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import fifthstreet` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'fifthstreet' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"fifthstreet.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Every public name, including those not imported yet."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})

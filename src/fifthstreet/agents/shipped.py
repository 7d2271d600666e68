"""What is shipped with the package of what its players learn, in an order in which it can be learned."""

from fifthstreet.agents.draw import champion as draw
from fifthstreet.agents.draw import equilibrium, evolved, exchange
from fifthstreet.agents.five_o import pairs
from fifthstreet.agents.squares import champion as squares
from fifthstreet.agents.squares import narl
from fifthstreet.errors import InputError, quoted
from fifthstreet.evaluation import preflop
from fifthstreet.games.point_systems import AMERICAN, ENGLISH
from fifthstreet.learned import Recipe


def recipes(game: str | None = None, agent: str | None = None) -> list[Recipe]:
    """The recipes of everything that is shipped; only those of this game and agent, if they are given."""
    every = _every()
    found = [each for each in every if game in (None, each.game) and agent in (None, each.agent)]
    if not found:
        known = {f"{each.game} {each.agent}": None for each in every}
        asked = quoted(" ".join(filter(None, (game, agent))))
        raise InputError(f"nothing is shipped for {asked}: there are {', '.join(known)}")
    return found


def _every() -> list[Recipe]:
    found = [preflop.recipe_against_one(), preflop.recipe_sampled(), pairs.recipe()]
    found += [exchange.recipe(), equilibrium.recipe(), draw.recipe(), evolved.recipe()]
    for points in (AMERICAN, ENGLISH):
        found += [narl.recipe(points, *variant) for variant in narl.VARIANTS]
        found += [squares.lines_recipe(points), squares.recipe(points)]
    return found

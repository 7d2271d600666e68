"""Everything that reads what somebody else wrote, with examples to change.

Most of the list makes itself: from the games, the agents, the formats of hand histories, the records, the commands and
the routes of the web server that are registered in the package. So whatever is added there is tested from then on.
"""

import importlib
import json
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from fifthstreet import histories
from fifthstreet.agents import agent_named, agents_for
from fifthstreet.agents.draw.values import read_values
from fifthstreet.arena import store as run_store
from fifthstreet.arena.laboratory import laboratory
from fifthstreet.arena.match import match
from fifthstreet.arena.person import chosen
from fifthstreet.arena.play import Record as PlayRecord
from fifthstreet.arena.play import play, replay
from fifthstreet.arena.recorded import read_recorded
from fifthstreet.arena.seeds import Seeds
from fifthstreet.cards import Card, parse_cards
from fifthstreet.errors import InputError, quoted
from fifthstreet.evaluation.ranges import Range
from fifthstreet.games import GAMES, game_named
from fifthstreet.games.point_systems import points
from fifthstreet.histories import files
from fifthstreet.naming import parameters
from fifthstreet.papers.published import published
from fifthstreet.record import Record
from fifthstreet.solvers.solution import solve
from fifthstreet.solvers.spot import Spot
from fifthstreet.solvers.strategy import Strategy
from fifthstreet.web import store as web_store
from fifthstreet.web.checking import check
from fifthstreet.web.drawing import FACES
from fifthstreet.web.guard import parsed
from fifthstreet.web.guests import Guests, game_of
from fifthstreet.web.phh import imported
from fifthstreet.web.spots import asked

from fuzzing.examples import ACPC, PAGE_SPOT, PHH, POKERSTARS, SCORES, SPOT


@dataclass(frozen=True)
class Parser:
    """Something that reads bytes, and examples of what it understands."""

    name: str
    read: Callable[[bytes], object]
    examples: tuple[bytes, ...]


def parsers() -> dict[str, Parser]:
    """All of them, by name."""
    found = [*_of_text(), *_of_games(), *_of_histories(), *_of_records(), *_of_files(), *_of_messages()]
    return {parser.name: parser for parser in found}


def _text(name: str, read: Callable[[str], object], *examples: str) -> Parser:
    """A parser of text. Bytes that are no text arrive as on the command line, as surrogates."""
    return Parser(name, lambda data: read(data.decode("utf-8", "surrogateescape")), tuple(map(str.encode, examples)))


def _json(name: str, read: Callable[[Any], object], *examples: object) -> Parser:
    """A reader of JSON, behind the parser that the server has in front of all of them."""
    return Parser(name, lambda data: read(parsed(data)), tuple(json.dumps(each).encode() for each in examples))


def _of_text() -> Iterator[Parser]:
    yield _text("cards", parse_cards, "AhKd", "2c 3s Th", "As,Ks,Qs")
    yield _text("card", Card.parse, "Ah", "10s")
    yield _text("range", Range.parse, "AKs, 77+", "AKs:0.5,22-55,top 10%,T9o", "AhKh,random")
    yield _text("point system", points, "american", "random:7", "hypercorner:3", ",".join(["1"] * 10))
    yield _text("quoted", quoted, "text", "1e5")
    yield _text("amount", lambda text: quoted(Decimal(text)) if text.isascii() and text.isdigit() else None, "12")


def _of_games() -> Iterator[Parser]:
    names = [kind.name for kind in GAMES]
    yield _text("game", game_named, *names, "holdem:seats=6,stack=100", "./mine.py:Mine:a=1")
    for kind in GAMES:
        own = ",".join(f"{name}={default}" for name, (_, default) in parameters(kind).items())
        yield _text(f"game {kind.name}", game_named, f"{kind.name}:{own}", kind.name)
        specs = [f"{each.name}:{_defaults(each)}" for each in agents_for(kind.name)]
        yield _text(f"agent for {kind.name}", partial(agent_named, game=kind.name), *specs, "./mine.py:Mine")
        game = game_named(kind.name)
        state = next(_states(game))
        words = lambda text, game=game, state=state: chosen(game.choices(state), text)  # noqa: E731
        yield _text(f"words for {kind.name}", words, "fold", "call", "raise to 20", "0", "all-in", "bet")


def _defaults(kind: type) -> str:
    return ",".join(f"{name}={default}" for name, (_, default) in parameters(kind).items())


def _states(game: Any) -> Iterator[Any]:
    """States in which a seat is to act."""
    state, cards = game.start(), 0
    while (seat := game.to_act(state)) is not None:
        if seat >= 0:
            yield state
        choices = game.choices(state)
        state, cards = game.after(state, choices[cards % len(choices)]), cards + 7


def _of_histories() -> Iterator[Parser]:
    examples = {"phh": PHH, "acpc": ACPC, "pokerstars": POKERSTARS}
    for found in pkgutil.iter_modules(histories.__path__):
        module = importlib.import_module(f"{histories.__name__}.{found.name}")
        if not hasattr(module, "read"):
            continue
        own = examples.get(found.name, (*PHH, *ACPC, *POKERSTARS))
        suffix = {"phh": ".phhs", "acpc": ".log"}.get(found.name, ".txt")
        yield _file(f"history {found.name}", lambda path: list(files.read_file(path)), suffix, *own)
        yield _file(f"verified {found.name}", lambda path: files.verify_files([path, path]), suffix, *own)
    yield _text("imported hands", lambda text: list(imported(text)), *(each.decode() for each in PHH))


def _of_records() -> Iterator[Parser]:
    seen: dict[type, list[bytes]] = {}
    for name in (kind.name for kind in GAMES):
        game = game_named(name)
        for state in _states(game):
            for each in (state, game.view(state, game.to_act(state) or 0)):
                seen.setdefault(type(each), []).append(bytes(each.data))
    kinds = [Record]
    for kind in kinds:
        kinds += kind.__subclasses__()
    for kind in kinds[1:]:
        if kind.__module__.startswith("fifthstreet.") and "<" not in kind.__qualname__:
            found = (bytes(kind.size), *seen.get(kind, ()))
            yield Parser(f"record {kind.__module__.split('.')[-1]}.{kind.__name__}", kind, found)
    games = []
    for name, agent in (("kuhn", "random"), ("leduc", "random"), ("holdem:seats=2", "call-station")):
        game, player = game_named(name), agent_named(agent, name.partition(":")[0])
        dealer, streams = Seeds.of(1, 2).for_deal(1)
        games.append(play(game, [player, player], dealer, streams).to_dict())
    yield _json("record of a game", lambda given: list(replay(PlayRecord.from_dict(given))), *games)


def _file(name: str, read: Callable[[Path], object], suffix: str, *examples: bytes) -> Parser:
    """A parser of files."""
    path = Path(mkdtemp()) / f"given{suffix}"

    def written(data: bytes) -> object:
        path.write_bytes(data)
        return read(path)

    return Parser(name, written, examples)


def _of_files() -> Iterator[Parser]:
    yield _file("recorded scores", read_recorded, ".csv", SCORES)
    place = Path(mkdtemp())
    kept = place / "kuhn.npz"
    kuhn = game_named("kuhn")
    solve("kuhn", iterations=10).strategy.save(kept)
    yield _file("kept strategy", lambda path: Strategy.load(path, kuhn), ".npz", kept.read_bytes())
    runs, tables = place / "runs.sqlite", place / "tables.sqlite"
    with laboratory(runs, workers=1, command="match", given={}):
        match("kuhn", ["random", "equilibrium"], 10)
    yield _file("run store", _read_runs, ".sqlite", runs.read_bytes())
    store = web_store.Store(tables)
    for number, found in enumerate(imported(PHH[0].decode())):
        store.add_hand(f"hand {number}", web_store.IMPORTED, 0, found["summary"], found["hand"])
    store.close()
    yield _file("table store", _read_tables, ".sqlite", tables.read_bytes())
    hands = ["a pair", "a flush"]
    values = {"agent": "adaptive", "memory": [{"hand": name, "value": 5.0} for name in hands]}
    yield _file("kept session", lambda path: read_values(path, hands), ".json", json.dumps(values).encode())
    item = {"kind": "claim", "paper": "a", "id": "b", "beyond": False, "words": "c", "verdict": "reproduced"}
    item |= {"measured": {"value": 1, "low": 0, "high": 2}}
    results = {"items": [item], "method": {}, "findings": {}, "keys": {}}
    folder = place / "report"
    (folder / "data").mkdir(parents=True)

    def report(data: bytes) -> object:
        (folder / "data" / "results.json").write_bytes(data)
        return published(folder)

    yield Parser("published results", report, (json.dumps(results).encode(),))


def _read_runs(path: Path) -> None:
    with run_store.Store(path) as store:
        for run in store.runs():
            for series in store.run(run.id).series:
                list(store.units(series.id))
        store.check()


def _read_tables(path: Path) -> None:
    store = web_store.Store(path)
    try:
        check(store)
        for place in store.places():
            for hand in store.summaries(place):
                store.hand(hand["id"])
    finally:
        store.close()


def _of_messages() -> Iterator[Parser]:
    guests = Guests()
    yield _json("spot", Spot.from_dict, SPOT)
    yield _json("spot of the page", asked, PAGE_SPOT)
    for name, face in FACES.items():
        game = game_named(name, face.seats[0]) if face.seats[0] > 1 else game_named(name)
        views = [(game.view(state, game.to_act(state) or 0)) for state in _states(game)]

        def act(given: Any, face: Any = face, game: Any = game, views: Any = views) -> object:
            if not isinstance(given, dict):
                raise InputError("an action is an object")
            done, refused = [], InputError("it fits no moment of the game")
            for view in views:
                try:
                    done.append(face.action(game, view, dict(given)))
                except InputError as error:
                    refused = error
            if not done:
                raise refused
            return done

        options = {
            key: default
            for key, (_, default) in parameters(type(game)).items()
            if key != "seats" and isinstance(default, int)
        }
        moves = [face.choice(game, view, game.choices(view)[0]) for view in views]
        yield _json(f"action in {name}", act, *moves)
        yield _json(f"options of {name}", partial(game_of, name, seats=2), options)
        specs = [f"{kind.name}:{_defaults(kind)}" for kind in guests.kinds(name)]
        yield _text(f"guest of {name}", partial(guests.agent, game=name), *specs)

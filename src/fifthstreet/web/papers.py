"""The papers' scorecard: every claim with the printed and the measured number, from stored results."""

import json
from collections.abc import Mapping
from pathlib import Path

from fifthstreet.papers import PAPERS
from fifthstreet.papers.paper import Claim
from fifthstreet.web.drawing.face import Json

MOST_BYTES = 20_000_000


def scorecard(kept: Mapping[str, Json], report: Path | None) -> Json:
    """The papers and their claims, with the latest measurement: of this server, or of `fifthstreet reproduce --out`."""
    measured: dict[tuple[str, str], Json] = {}
    methods: dict[str, Json] = {}
    for results in (_read(report), *kept.values()):
        for item in results.get("items", []):
            measured[item["paper"], item["id"]] = item
            methods[item["paper"]] = results["method"]
    papers = []
    for paper in PAPERS:
        claims = [item for item in paper.items if isinstance(item, Claim)]
        shown = [_claim(claim, measured.get((paper.name, claim.id))) for claim in claims]
        papers.append(
            {
                "name": paper.name,
                "title": paper.title,
                "authors": paper.authors,
                "claims": shown,
                "others": [item.id for item in paper.items if not isinstance(item, Claim)],
                "method": methods.get(paper.name),
            }
        )
    return {"papers": papers}


def _claim(claim: Claim, found: Json | None) -> Json:
    shown = {"id": claim.id, "words": claim.words, "printed": claim.printed, "where": str(claim.where)}
    if found is None:
        return shown | {"measured": None, "verdict": None, "note": claim.note}
    return shown | {key: found.get(key) for key in ("measured", "verdict", "note")}


def _read(report: Path | None) -> Json:
    """The results of a reproduction; empty if there are none."""
    try:
        if report is None or report.stat().st_size > MOST_BYTES:
            return {}
        found = json.loads(report.read_text(encoding="utf-8"))
        return found if isinstance(found, dict) and isinstance(found.get("items"), list) else {}
    except (OSError, ValueError):
        return {}

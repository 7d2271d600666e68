"""Scores that others recorded, beside those of a contest on the same deals."""

from pathlib import Path

import pytest

from fifthstreet.arena.contest import contest
from fifthstreet.arena.recorded import read_recorded
from fifthstreet.errors import InputError

HEADING = "system,player,deal_seed,score,milliseconds\n"


def written(folder: Path, text: str) -> Path:
    place = folder / "scores.csv"
    place.write_text(text, encoding="utf-8")
    return place


def test_a_lead_is_by_deal_and_over_the_deals_that_both_played(tmp_path: Path) -> None:
    rows = [f"american,nobody,{seed},{10 * seed},1\n" for seed in range(3, 9)]
    place = written(tmp_path, HEADING + "".join(rows) + "english,somebody,4,1,1\nAmerican,once,4,1,1\n")
    result = contest(["american"], ["greedy"], 6, seed=5, recorded=read_recorded(place))
    (lead,) = result.beside  # of one deal alone there is no interval, and the English scores are of no use
    scores = result.entries["american", "greedy"].scores
    assert (lead.system, lead.agent, lead.other, lead.lead.count) == ("american", "greedy", "nobody", 4)
    assert lead.lead.value == pytest.approx(sum(scores[i] - 10 * (5 + i) for i in range(4)) / 4)
    assert "greedy over nobody as recorded" in str(result)
    assert result.to_dict()["beside"][0]["lead"]["value"] == lead.lead.value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("system,player,score\n", "has no column 'deal_seed'"),
        ("", "has no column 'system'"),
        (HEADING + "american,nobody,0,many,1\n", "line 2 of .* has '0' and 'many' as seed and score"),
        (HEADING + "american,nobody\n", "line 2 of .* has None and None as seed and score"),
        ("deal_seed,score,player,system\n1,2,nobody\n", "line 2 of .* has no system or no player"),
        ("deal_seed,score,system,player\n1,2,american\n", "line 2 of .* has no system or no player"),
        (HEADING + "american,nobody,1,1e999\n", "line 2 of .* has a score that is no number"),
        (HEADING + f"american,nobody,{'1' * 5000},1\n", "line 2 of .* as seed and score"),
    ],
)
def test_a_table_that_is_none_is_refused_in_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as error:
        read_recorded(written(tmp_path, text))
    assert len(str(error.value)) <= 300


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"system,player,deal_seed,score\n\xff\xfe")
    for place, complaint in ((tmp_path / "none.csv", "none.csv' cannot be read"), (tmp_path / "bytes", "not a table")):
        with pytest.raises(InputError, match=complaint):
            read_recorded(place)


def test_the_contest_s_own_players_are_read_and_met(data: Path) -> None:
    recorded = read_recorded(data / "squares" / "contest_scores.csv")
    assert sum(map(len, recorded.values())) == 15_880
    leads = {each.other: each.lead for each in contest(["english"], ["greedy"], 50, recorded=recorded).beside}
    assert leads["beemo greedy"].count == 50
    assert leads["beemo greedy"].high < 0  # who goes by the score so far is far behind

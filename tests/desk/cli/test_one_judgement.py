"""Whatever the data are and however many clusters are asked for, nothing that is said contradicts anything else.

`python tests/desk/cli/test_one_judgement.py 600` tries as many random tables.
"""

import json
import os
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs, make_moons
from typer.testing import CliRunner

from s3nmf import S3NMF
from s3nmf.desk.cli.commands import app
from s3nmf.desk.cli.options import clusters_of
from s3nmf.sources import read


def table_of(seed):
    """A small table, what it is, and the number of clusters to ask for."""
    random = np.random.default_rng(seed)
    n, width = int(random.integers(40, 200)), int(random.integers(2, 6))
    size = (n, width)
    makes = {
        "normal": lambda: random.normal(size=size),
        "exponential": lambda: random.exponential(size=size),
        "lognormal": lambda: random.lognormal(size=size),
        "uniform": lambda: random.uniform(size=size),
        "heavy tails": lambda: random.standard_t(3, size),
        "counts": lambda: random.poisson(4, size),
        "rounded": lambda: np.column_stack([random.normal(size=size), random.normal(size=n).round()]),
        "plan": lambda: np.column_stack([random.normal(size=size), random.integers(0, 3, n)]),
        "walk": lambda: np.cumsum(random.normal(size=size), axis=0),
        "blobs": lambda: make_blobs(n, width, centers=int(random.integers(2, 7)), random_state=seed)[0],
        "close blobs": lambda: make_blobs(n, width, cluster_std=3.0, random_state=seed)[0],
        "unequal blobs": lambda: make_blobs([n, n // 3, n // 6 + 2], width, random_state=seed)[0],
        "moons": lambda: make_moons(n, noise=0.06, random_state=seed)[0],
        "one column": lambda: np.concatenate([random.normal(size=n), 6 + random.normal(size=n // 2)])[:, None],
        "one normal column": lambda: random.normal(size=(n, 1)),
    }
    kind = list(makes)[int(random.integers(len(makes)))]
    asked = str(random.choice(["auto", "auto", "2", "3", "4", "7", "2:5", "1:8", "4:6"]))
    return kind, makes[kind](), asked


def contradictions(seed):
    """What was asked, and what does not go together in the answers."""
    kind, values, asked = table_of(seed)
    names = [f"c{column}" for column in range(values.shape[1])]
    np.savetxt("t.csv", values, delimiter=",", header=",".join(names), comments="")
    found = json.loads(_said("cluster", "t.csv", "-k", asked, "--json"))
    text = " ".join(_said("cluster", "t.csv", "-k", asked, "--out", "l.csv").split())
    chosen = json.loads(_said("choose-k", "t.csv", "--json"))
    data = read("t.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = S3NMF(clusters_of(asked), random_state=0).fit(data.values)
    model.name_columns(data.features.columns)
    return (kind, values.shape, asked), list(_wrong(asked, found, text, chosen, model.judge()))


def _said(*command):
    result = CliRunner().invoke(app, list(command))
    assert result.exit_code == 0, result.output
    return result.stdout


def _wrong(asked, found, text, chosen, verdict):
    n, headline, doubts = len(found["clusters"]), found["judgement"], [one["what"] for one in found["doubts"]]
    if (headline, found["has_clusters"], found["has_so_many"]) != (
        verdict.judgement,
        verdict.has_clusters,
        verdict.has_so_many,
    ):
        yield f"Python says {verdict.judgement}"
    if headline not in text:
        yield "the terminal has another headline"
    if found["has_clusters"] != chosen["has_clusters"]:
        yield f"choose-k has {chosen['reason']} and the verdict {headline}"
    if asked == "auto" and not n == found["choice"]["n_clusters"] == chosen["n_clusters"]:
        yield f"{n} were found, {found['choice']['n_clusters']} chosen, {chosen['n_clusters']} recommended"
    if asked == "auto" and not found["has_so_many"]:
        yield "the number that was chosen does not stand"
    if headline.startswith("Do not rely") != (n > 1 and not found["has_clusters"] and "values of" not in str(doubts)):
        yield f"the headline is {headline}"
    if ("real." in headline or "is supported" in headline) and not found["has_so_many"]:
        yield f"the headline is {headline}, and there are not so many"
    if ("The data show no clear clusters" in doubts) != (n > 1 and not found["has_clusters"]):
        yield f"{doubts} beside {headline}"
    if any("may be one cluster" in one["why"] for one in found["doubts"]) and found["has_so_many"]:
        yield "clusters may be one, and there are so many"
    if n == 1 and (
        "Look at these first" in text or "the weakest border" in text or found["n_doubtful"] or found["disputes"]
    ):
        yield "there is one cluster, and more is said of several"
    if any("values of" in what for what in doubts) and "values of" not in doubts[0]:
        yield "the values of a column are not said first"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(20))
def test_headline_verdict_and_choice_go_together(seed, directory):
    what, wrong = contradictions(seed)
    assert not wrong, what


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    first, last = (int(text) for text in (["0", *sys.argv[1:]])[-2:])
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(Path(folder))
        for number in range(first, last):
            what, wrong = contradictions(number)
            count += bool(wrong)
            if wrong:
                sys.stdout.write(f"{number} {what} {wrong}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{count} of {last - first} contradict themselves\n")

import gzip
import json
import re
import sys
from base64 import b64decode
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs
from sklearn.exceptions import NotFittedError

from results import model_of, random_model, result_of
from s3nmf import S3NMF, Candidate, ClusterCount, SymNMF
from s3nmf.affinity import nearest_neighbor_affinity
from s3nmf.desk.report import page
from s3nmf.report import write_report

pytest.importorskip("jinja2", reason="needs jinja2: pip install 's3nmf[report]'")

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror=hacked()>'\"&amp;"


class Page(HTMLParser):
    """What a browser would take for elements, attributes and text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.texts, self.data = [], [], [], None
        self._inside = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        self._inside = dict(attrs).get("id", tag) if tag in {"script", "style"} else None

    def handle_data(self, data):
        if self._inside == "data":
            self.data = json.loads(data)
        elif self._inside is None:
            self.texts.append(data)

    def handle_endtag(self, tag):
        self._inside = None


@pytest.fixture(autouse=True)
def quick_layout(monkeypatch):
    monkeypatch.setattr(page, "graph_layout", lambda W, points: np.random.default_rng(0).random((points.size, 2)))


@pytest.fixture
def read(tmp_path):
    def read(model, **told):
        write_report(model, tmp_path / "report.html", **told)
        return Page((tmp_path / "report.html").read_text(encoding="utf-8"))

    return read


@pytest.fixture(scope="module")
def blobs():
    X, _ = make_blobs(90, centers=3, cluster_std=1.5, random_state=4)
    frame = pd.DataFrame(X, columns=["length", "width"])
    return S3NMF(3, random_state=0, n_members=5).fit(frame), frame


def test_the_page_says_what_was_found_and_how_it_was_run(read, blobs):
    model, _ = blobs
    text = " ".join(read(model, title="Flowers", source="flowers.csv", notes=["Left out 2 rows."]).texts)
    assert "3 clusters." in text
    assert f"{model.agreement_[0]:.2f}" in text
    for word in ("Flowers", "flowers.csv", "Left out 2 rows.", "n_members", "length", "width", "scikit-learn"):
        assert word in text
    assert f"row {model.confidence_.argmin()}" in text


def test_it_needs_no_other_file_and_no_network(read, blobs):
    addresses = [
        value
        for name, value in read(blobs[0]).attributes
        if name in {"href", "src", "srcset", "action", "data", "poster"}
    ]
    assert addresses
    assert all(address.startswith(("#", "data:")) for address in addresses)


def test_hostile_text_stays_text_wherever_it_comes_from(read, blobs):
    model, frame = blobs
    plain = read(model, ids=[str(row) for row in range(90)], values=frame, title="t", source="s", notes=["n"])
    ids = [f"{HOSTILE}{row}" for row in range(90)]
    values = frame.set_axis([HOSTILE, "b" + HOSTILE], axis=1)
    hostile = read(model, ids=ids, values=values, title=HOSTILE, source=HOSTILE, notes=[HOSTILE])
    assert hostile.tags == plain.tags
    text = "\n".join(hostile.texts)
    assert text.count("window.hacked") > 20
    assert hostile.data["ids"][7].startswith("</script><script>window.hacked")


def test_no_character_is_refused_and_none_is_lost_that_can_be_shown(read, blobs):
    ids = [f"{row} Зёрна 種 \u202e rtl \U0001f33e" for row in range(87)] + ["\x00null", "\ud800 lone", "a\u2028b"]
    found = read(blobs[0], ids=ids).data["ids"]
    assert found[:87] == ids[:87]
    assert found[87:] == ["\ufffdnull", "\ufffd lone", "a\u2028b"]


def test_long_ids_keep_their_beginning_and_their_end(read, blobs):
    found = read(blobs[0], ids=[f"{row}{'x' * 5000}{row}" for row in range(90)]).data["ids"]
    assert all(len(name) == 60 for name in found)
    assert found[42].startswith("42x")
    assert found[42].endswith("x42")


def test_any_ids_will_do(read, blobs):
    index = pd.Index(range(100, 190))
    assert read(blobs[0], ids=index).data["ids"][0] == "100"
    assert read(blobs[0], ids=pd.Series(index, index=index)).data["ids"][89] == "189"
    assert read(blobs[0]).data["ids"] is None


def test_values_may_be_others_than_those_that_were_fitted(read, blobs):
    model, frame = blobs
    text = " ".join(read(model, values=1000 * frame.to_numpy(), feature_names=["mm", "breadth"]).texts)
    assert "mm" in text
    assert "breadth" in text
    assert "length" not in text


def test_a_given_graph_has_no_features_to_tell(read, blobs):
    W = nearest_neighbor_affinity(blobs[1].to_numpy())
    model = S3NMF(3, affinity="precomputed", random_state=0, n_members=5).fit(W)
    assert "Set apart by" not in " ".join(read(model).texts)
    assert "Set apart by" in " ".join(read(model, values=blobs[1]).texts)


def test_the_choice_of_the_number_of_clusters_is_told_if_there_was_one(read, blobs):
    candidates = (Candidate(2, 1.1, 0.5, 0), Candidate(3, 9.0, 0.1, 0))
    choice = ClusterCount(3, (), (), True, "3 clusters: because.", (), candidates, (), 3)
    assert "3 clusters: because." in " ".join(read(blobs[0], choice=choice).texts)
    assert "The number of clusters" not in " ".join(read(blobs[0]).texts)


@pytest.mark.parametrize(
    "member_labels",
    [
        np.zeros((2, 5), dtype=int),  # one cluster
        np.repeat([[0, 1]], 6, axis=1),  # one member
        np.array([[0, 1], [0, 1]]),  # two points, each a cluster
        np.arange(150)[None, :].repeat(2, axis=0),  # every point a cluster
    ],
    ids=["one cluster", "one member", "two points", "150 clusters"],
)
def test_odd_clusterings_have_a_page_too(read, member_labels):
    model = model_of(result_of(member_labels))
    assert (
        len(read(model, values=np.arange(2.0 * member_labels.shape[1]).reshape(-1, 2)).data["sizes"])
        == model.n_clusters
    )


def test_isolated_points_have_no_second_choice(read, blobs):
    X = np.vstack([blobs[1].to_numpy(), [[1e6, 1e6]]])
    with pytest.warns(UserWarning, match="Isolated points"):
        model = S3NMF(3, random_state=0, n_members=5).fit(X)
    found = read(model)
    text = " ".join(found.texts)
    assert "The graph is in pieces" in text
    assert "cluster -1" not in text
    lines = gzip.decompress(b64decode(found.data["labels"])).decode().splitlines()
    assert lines[-1] == "90,-1,0.0,"
    clusters = np.frombuffer(b64decode(found.data["cluster"]), "<u2")
    assert (clusters[-1], found.data["alone"], clusters[:-1].max()) == (3, 1, 2), "a group behind all clusters"


def test_ten_thousand_points_with_long_ids_stay_below_three_megabytes(tmp_path):
    model = random_model(10_000, 100)
    write_report(model, tmp_path / "report.html", ids=["種" * 200 + str(row) for row in range(10_000)])
    assert (tmp_path / "report.html").stat().st_size < 3_000_000


def test_of_very_many_points_some_are_shown_and_the_page_says_so(read, monkeypatch):
    monkeypatch.setattr("s3nmf.desk.report.points.points_to_show.__defaults__", ("point", 100))
    found = read(random_model(1000, 4))
    assert found.data["n"] == 100
    assert re.search(r"100\s+of\s+1,000\s+points are drawn", " ".join(found.texts))


def test_what_does_not_fit_is_refused_and_nothing_is_written(tmp_path, blobs):
    path = tmp_path / "report.html"
    with pytest.raises(ValueError, match="2 ids for 90 points"):
        write_report(blobs[0], path, ids=["a", "b"])
    with pytest.raises(ValueError, match="fitted to 90 points"):
        write_report(blobs[0], path, values=np.ones((3, 3)))
    with pytest.raises(NotFittedError):
        write_report(S3NMF(), path)
    with pytest.raises(TypeError, match="there is a SymNMF"):
        write_report(SymNMF(), path)
    assert list(tmp_path.iterdir()) == []


def test_without_jinja_the_error_names_the_extra(tmp_path, blobs, monkeypatch):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 's3nmf\[report\]'"):
        write_report(blobs[0], tmp_path / "report.html")


def test_the_same_model_gives_the_same_page_but_for_the_time(read, tmp_path, blobs):
    pages = []
    for _ in range(2):
        read(blobs[0])
        pages.append(re.sub("written on [^<]*", "", (tmp_path / "report.html").read_text(encoding="utf-8")))
    assert pages[0] == pages[1]


def test_what_is_not_folded_away_needs_no_paper_to_be_understood(read, tmp_path, blobs):
    model, frame = blobs
    read(model, values=frame, notes=["One.", "Two.", "One."], command="s3nmf cluster x.csv -k 3")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    page = re.sub("<script.*?</script>|<style.*?</style>|<details>.*?</details>", "", page, flags=re.DOTALL)
    verdict = model.judge()
    for sentence in (*verdict.sentences, *(doubt.why for doubt in verdict.doubts)):
        page = page.replace(sentence.replace("'", "&#39;"), "")
    text = " ".join(Page(page).texts)
    assert not re.search(r"\b(members?|rounds? \d|sweeps?|settled|co-association)\b", text, re.IGNORECASE)
    assert "5 partitions that vote" in text
    assert "90 rows" in text
    assert text.count("One.") == 1
    assert "s3nmf cluster x.csv -k 3" in text


@pytest.mark.parametrize("thing", ["node", "cell"])
def test_things_are_called_what_they_are(read, blobs, thing):
    found = read(blobs[0], thing=thing)
    text = " ".join(found.texts)
    assert f"90 {thing}s" in text
    assert f"{thing} {blobs[0].confidence_.argmin()}" in text
    assert "rows" not in text
    assert found.data["thing"] == thing


def test_all_labels_are_in_the_page_though_not_all_points_are_shown(read, monkeypatch):
    monkeypatch.setattr("s3nmf.desk.report.points.points_to_show.__defaults__", ("point", 100))
    model = random_model(1000, 4)
    found = read(model, ids=[f"p{row}" for row in range(1000)], id_name="specimen")
    lines = gzip.decompress(b64decode(found.data["labels"])).decode().splitlines()
    assert lines[0] == "specimen,cluster,confidence,second_cluster"
    assert [line.split(",")[0] for line in lines[1:]] == [f"p{row}" for row in range(1000)]
    assert [int(line.split(",")[1]) for line in lines[1:]] == model.labels_.tolist()


def test_the_index_of_a_frame_names_its_rows(model, tmp_path):
    frame = pd.DataFrame(
        {"length": np.arange(300.0)}, index=pd.Index([f"P{row:03}" for row in range(300)], name="plant")
    )
    write_report(model, tmp_path / "named.html", values=frame)
    write_report(model, tmp_path / "numbered.html", values=frame.reset_index(drop=True))
    least = model.confidence_.argmin()
    assert f'<bdi class="id">P{least:03}</bdi>' in (tmp_path / "named.html").read_text(encoding="utf-8")
    assert f'<bdi class="id">row {least}</bdi>' in (tmp_path / "numbered.html").read_text(encoding="utf-8")


def test_labels_to_download_hold_no_formula(read, blobs):
    model = S3NMF(3, random_state=0, n_members=5).fit(blobs[1].to_numpy())
    found = read(model, ids=["=1+1", "\x1b[2J", *map(str, range(2, len(model.labels_)))])
    lines = gzip.decompress(b64decode(found.data["labels"])).decode().splitlines()
    assert lines[1].startswith("'=1+1,")
    assert lines[2].startswith("\\x1b[2J,")

import csv
import io
import json
import os
import shlex
import socket
import time

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from starlette.datastructures import Headers
from typer.testing import CliRunner

from desk.app.conftest import Client, running
from s3nmf.desk.app.guard import Guard
from s3nmf.desk.app.running import LocalPage, serve
from s3nmf.desk.app.study import MOST_VISITS
from s3nmf.desk.cli.commands import app

# Filters of warnings belong to the whole process, and the page computes in a thread of its own while tests come and go.
pytestmark = pytest.mark.filterwarnings("ignore")


def visit_of(client, again=None):
    return json.loads(client.ask("/visit", {"again": again})[2])["visit"]


def state_of(client, visit):
    """What is known when nothing is left to do."""
    for _ in range(600):
        now = json.loads(client.ask(f"/now?visit={visit}")[2])
        if now["busy"] is None:
            return now["state"]
        time.sleep(0.1)
    raise AssertionError(now)


def change(client, visit, what, **more):
    status, _, text = client.ask("/change", {"visit": visit, "what": what, **more})
    return status, json.loads(text).get("error")


def labels_of(client, visit):
    return list(csv.DictReader(io.StringIO(client.ask(f"/labels.csv?visit={visit}")[2].decode())))


# ---- who may ask ----
@pytest.mark.parametrize("path", ["/", "/page.js", "/now?visit=x", "/labels.csv?visit=x", "/nothing"])
def test_nothing_is_answered_without_the_token(client, path):
    for headers in ({"Cookie": None}, {"Cookie": f"s3nmf-{client.port}=wrong"}, {"Cookie": "s3nmf-1=" + client.token}):
        assert client.ask(path, **headers)[0] == 403
    assert client.ask(f"{path}{'&' if '?' in path else '?'}token=wrong", Cookie=None)[0] == 403


def test_the_token_of_the_address_becomes_a_cookie_that_no_script_and_no_other_site_has(client):
    status, headers, text = client.ask(f"/?token={client.token}", Cookie=None)
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert headers["set-cookie"] == f"s3nmf-{client.port}={client.token}; Path=/; HttpOnly; SameSite=Strict"
    assert client.token.encode() not in text
    assert client.ask("/")[0] == 200
    assert client.ask("/")[1]["set-cookie"] is None


def test_the_browser_is_started_with_a_ticket_that_is_good_once(plants, monkeypatch):
    opened, said = [], []
    with monkeypatch.context() as patched:
        patched.setattr("webbrowser.open", opened.append)
        patched.setattr(LocalPage, "run", lambda page: page._socket.close())
        serve(str(plants), say=said.append)
    assert Client(said[0].split()[4]).token not in opened[0]
    with running(plants) as page:
        client = Client(page.address)
        path = page.address_once.removeprefix(f"http://{client.host}")
        status, headers, _ = client.ask(path, Cookie=None)
        assert (status, headers["location"]) == (303, "/")
        assert headers["set-cookie"] == f"s3nmf-{client.port}={client.token}; Path=/; HttpOnly; SameSite=Strict"
        assert client.ask(path, Cookie=None)[0] == 403, "the second to bring it"
        assert client.ask("/?once=wrong", Cookie=None)[0] == 403


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST /visit HTTP/1.1\r\n%s\r\n\r\n{"])
def test_a_connection_on_which_nothing_comes_is_closed(client, monkeypatch, begun):
    monkeypatch.setattr("s3nmf.desk.app.connections.IDLE", 0.2)
    monkeypatch.setattr("s3nmf.desk.app.server._PATIENCE", 0.2)
    ours = {**client.headers, "Origin": f"http://{client.host}", "Content-Length": 100, "Connection": "close"}
    text = "\r\n".join(f"{name}: {value}" for name, value in ours.items()).encode()
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as connection:
        connection.sendall(begun % text if b"%s" in begun else begun)
        answer = b"".join(iter(lambda: connection.recv(4096), b""))  # to its end, which comes
    assert answer == b"" or (answer.startswith(b"HTTP/1.1 400") and b"did not come within" in answer)


def test_a_request_that_ends_as_no_http_does_gets_one_answer(client, caplog):
    begun = f"POST /change HTTP/1.1\r\nHost: {client.host}\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n"
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as connection:
        connection.sendall(begun.encode())
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.1 400")
    assert answer.count(b"HTTP/1.1") == 1
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", ""])
def test_a_name_that_was_made_to_point_here_is_refused(client, host):
    assert client.ask("/", Host=host)[0] == 403


@pytest.mark.parametrize(("port", "is_ours"), [(80, True), (8000, False)])
def test_browsers_do_not_say_the_usual_port(port, is_ours):
    guard = Guard(None, token="t", port=port)
    for method in ("GET", "POST"):
        headers = Headers({"host": "127.0.0.1", "origin": "http://127.0.0.1"})
        assert guard._comes_from_here(method, headers) == is_ours


@pytest.mark.parametrize("origin", [None, "null", "https://evil.example", "http://127.0.0.1:1"])
def test_other_pages_cannot_choose_anything(client, origin):
    assert client.ask("/visit", {}, Origin=origin)[0] == 403


def test_every_answer_forbids_all_that_the_page_does_not_need(client):
    for path, cookie in (("/", client.headers["Cookie"]), ("/page.css", client.headers["Cookie"]), ("/", None)):
        headers = client.ask(path, Cookie=cookie)[1]
        assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
        assert (headers["x-content-type-options"], headers["cache-control"]) == ("nosniff", "no-store")


# ---- what is answered ----
def test_a_visit_goes_from_a_file_to_clusters(client):
    state = state_of(client, visit_of(client))
    assert (state["n_clusters"], state["count"]["n_clusters"], state["error"]) == (3, 3, "")
    assert sorted(cluster["size"] for cluster in state["found"]["clusters"]) == [29, 30, 30]
    assert state["used"] == ["length", "width", "height"]


def test_two_visits_keep_their_own_choices_and_one_that_comes_back_is_known(client):
    first, second = visit_of(client), visit_of(client)
    state_of(client, first)
    assert change(client, first, "clusters", n_clusters=4) == (200, None)
    assert change(client, second, "name", cluster=0, name="tall") == (200, None)
    assert state_of(client, first)["n_clusters"] == 4
    found = state_of(client, second)["found"]["clusters"]
    assert [cluster["name"] for cluster in found] == ["tall", "", ""]
    assert visit_of(client, again=second) == second


def test_merge_split_and_undo(client):
    visit = visit_of(client)
    before = [cluster["size"] for cluster in state_of(client, visit)["found"]["clusters"]]
    change(client, visit, "merge", clusters=[0, 2])
    merged = state_of(client, visit)
    assert [cluster["size"] for cluster in merged["found"]["clusters"]] == [before[0] + before[2], before[1]]
    change(client, visit, "split", cluster=0)
    assert sorted(cluster["size"] for cluster in state_of(client, visit)["found"]["clusters"]) == sorted(before)
    change(client, visit, "undo")
    assert state_of(client, visit)["clusters_key"] == merged["clusters_key"]
    change(client, visit, "undo")
    assert not state_of(client, visit)["can_undo"]


def test_labels_have_ids_names_and_confidence(client):
    visit = visit_of(client)
    state_of(client, visit)
    change(client, visit, "name", cluster=1, name='a "tall", one')
    state_of(client, visit)
    rows = labels_of(client, visit)
    assert list(rows[0]) == ["plant", "cluster", "cluster_name", "confidence", "second_cluster", "second_name"]
    assert (len(rows), rows[0]["plant"]) == (89, "plant-1")
    assert {row["cluster_name"] for row in rows} == {"Cluster 0", 'a "tall", one', "Cluster 2"}


def test_a_graph_with_nodes_without_edges_has_labels_that_no_spreadsheet_runs(tmp_path):
    """Two cliques, four nodes alone, names that begin like formulas."""
    path = tmp_path / "cliques.mtx"
    W = np.zeros((20, 20))
    W[:8, :8] = W[8:16, 8:16] = 1.0
    scipy.io.mmwrite(path, scipy.sparse.coo_array(W - np.diag(np.diag(W))))
    with running(path) as page:
        client = Client(page.address)
        visit = visit_of(client)
        state_of(client, visit)
        assert change(client, visit, "name", cluster=0, name="=1+1")[0] == 200
        found = state_of(client, visit)["found"]["clusters"]
        assert [cluster["size"] for cluster in found] == [8, 8]
        rows = labels_of(client, visit)
        assert [row["cluster_name"] for row in rows if row["cluster"] == "-1"] == ["No cluster"] * 4
        assert {row["cluster_name"] for row in rows if row["cluster"] == "0"} == {"'=1+1"}
        packed = np.frombuffer(client.ask(f"/clusters?visit={visit}")[2], "<u2")
        assert packed[16:20].tolist() == [65535] * 4
        assert json.loads(client.ask(f"/point?visit={visit}&row=17")[2])["cluster"] == -1
        assert client.ask(f"/report.html?visit={visit}")[0] == 200
        change(client, visit, "merge", clusters=[0, 1])
        assert [cluster["size"] for cluster in state_of(client, visit)["found"]["clusters"]] == [16]
        assert sum(row["cluster"] == "-1" for row in labels_of(client, visit)) == 4


def test_the_command_finds_the_same_clusters(client, tmp_path, monkeypatch):
    visit = visit_of(client)
    state_of(client, visit)
    wanted = {"id": "plant", "drop": ["color", "height"], "scale": "minmax", "missing": "median"}
    assert change(client, visit, "read", **wanted) == (200, None)
    assert change(client, visit, "sizes", unequal=True) == (200, None)
    words = shlex.split(state_of(client, visit)["command"])
    assert words[2:] == [
        *(words[2], "-k", "3", "--recipe", "unequal", "--id", "plant", "--drop", "height", "--drop", "color"),
        *("--scale", "minmax", "--missing", "median", "--out", "labels.csv", "--report", "report.html"),
    ]
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(app, words[1:]).exit_code == 0
    with (tmp_path / "labels.csv").open() as file:
        typed = {row["plant"]: (row["cluster"], row["confidence"]) for row in csv.DictReader(file)}
    assert {row["plant"]: (row["cluster"], row["confidence"]) for row in labels_of(client, visit)} == typed


def test_a_point_is_shown_beside_what_is_typical(client):
    visit = visit_of(client)
    found = state_of(client, visit)["found"]
    point = json.loads(client.ask(f"/point?visit={visit}&row={found['points'][0]['row']}")[2])
    assert point["id"] == found["points"][0]["id"]
    assert sorted(column["name"] for column in point["columns"]) == ["height", "length", "width"]
    assert client.ask(f"/point?visit={visit}&row=89")[0] == 404
    assert client.ask(f"/point?visit={visit}&row=-1")[0] == 404


def test_the_report_is_of_the_clusters_as_they_are(client):
    visit = visit_of(client)
    state_of(client, visit)
    change(client, visit, "merge", clusters=[0, 1])
    state_of(client, visit)
    status, headers, text = client.ask(f"/report.html?visit={visit}")
    assert (status, headers["content-disposition"]) == (200, 'attachment; filename="report.html"')
    assert "Merged clusters 0 and 1 by hand" in text.decode()


def test_what_cannot_be_done_is_said_and_changes_nothing(client):
    visit = visit_of(client)
    before = state_of(client, visit)
    assert change(client, visit, "clusters", n_clusters=1000)[0] == 400
    assert change(client, visit, "merge", clusters=[7, 8])[1] == "There is no cluster 7 here, only 0 to 2."
    assert change(client, visit, "dance")[0] == 400
    assert change(client, "nobody", "undo")[0] == 410
    assert change(client, None, "undo")[0] == 410
    assert state_of(client, visit) == before


NONSENSE = {
    "no object": b"[]",
    "half an object": b"{",
    "no text": b"\xff",
    "too much": b"x" * 2_000_000,
    "lists in lists": b"[" * 100_000,
    "objects in objects": b'{"id":' * 50_000,
    "a number of 5,000 digits": b'{"n_clusters": ' + b"9" * 5000 + b"}",
    "a field of nobody": b'{"dance": 1}',
    "a list as a column": {"what": "read", "drop": [[1]]},
    "an object as a name": {"what": "read", "id": {}},
    "an object as a number": {"what": "clusters", "n_clusters": {}},
    "texts as clusters": {"what": "merge", "clusters": ["0", "1"]},
    "a number as a name": {"what": "name", "cluster": 0, "name": 5},
    "a list as a visit": {"what": "undo", "visit": []},
}


@pytest.mark.parametrize("sent", NONSENSE.values(), ids=NONSENSE)
@pytest.mark.parametrize("path", ["/change", "/visit"])
def test_a_request_that_is_none_gets_one_sentence_and_a_remedy(client, sent, path):
    body = {"visit": visit_of(client), **sent} if isinstance(sent, dict) else sent
    status, _, text = client.ask(path, body)
    assert status == 400
    said = json.loads(text)["error"]
    assert said.count(".") == 2
    assert said.endswith("Load this page again.")


@pytest.mark.parametrize("row", ["9" * 5000, "9" * 16])
def test_a_row_of_too_many_digits_is_no_row(client, row):
    status, _, text = client.ask(f"/point?visit={visit_of(client)}&row={row}")
    assert (status, json.loads(text)["error"]) == (
        400,
        f"row has {len(row):,} signs; it must be a number of at most 15.",
    )


def test_a_tab_that_was_given_up_hears_why(plants):
    with running(plants) as page:
        client = Client(page.address)
        first, *_ = [visit_of(client) for _ in range(MOST_VISITS + 1)]
        for status, _, text in (client.ask(f"/now?visit={first}"), client.ask("/change", {"visit": first})):
            assert status == 410
            assert "More than 50 tabs of this page were opened, and this one was given up" in json.loads(text)["error"]


def test_a_file_that_cannot_be_read_as_asked_is_explained_in_the_words_of_the_page(client):
    visit = visit_of(client)
    state_of(client, visit)
    change(client, visit, "read", id="plant", drop=["color"], scale=None, missing="refuse")
    state = state_of(client, visit)
    assert "missing 1 value in 1 row" in state["error"]
    assert "“Missing values”: median" in state["error"]
    change(client, visit, "read", id="plant", drop=["color"], scale=None, missing="median")
    assert len(labels_of(client, visit) if state_of(client, visit) else ()) == 90


def test_names_that_are_not_utf8_are_told_and_understood(tmp_path):
    path = tmp_path / os.fsdecode(b"caf\xe9.json")
    rows = [{"\ud800": row % 7, "b": row % 5, "c": row // 20} for row in range(40)]
    path.write_text(json.dumps(rows), encoding="ascii")
    with running(path) as page:
        client = Client(page.address)
        visit = visit_of(client)
        assert "caf" in state_of(client, visit)["command"]
        assert change(client, visit, "read", drop=["\ud800"]) == (200, None)
        assert state_of(client, visit)["used"] == ["b", "c"]
        assert client.ask(f"/report.html?visit={visit}")[0] == 200


def test_the_column_that_names_the_rows_is_shown_whoever_found_it(tmp_path):
    path = tmp_path / "named.csv"
    path.write_text("id,a,b\n" + "".join(f"x{row},{row % 2 * 9 + row % 5},{row % 7}\n" for row in range(30)))
    with running(path) as page:
        client = Client(page.address)
        visit = visit_of(client)
        assert state_of(client, visit)["reading"]["id"] == "id"
        change(client, visit, "read", id=None, drop=[])  # which the reader finds again
        state = state_of(client, visit)
        assert (state["reading"]["id"], state["used"]) == ("id", ["a", "b"])


def test_a_graph_has_clusters_a_map_and_labels_and_no_columns(tmp_path):
    path = tmp_path / "rings.edges"
    rings = [(f"{ring}{k}", f"{ring}{(k + step) % 12}") for ring in "abc" for k in range(12) for step in (1, 2, 3)]
    path.write_text("\n".join(f"{one} {other}" for one, other in [*rings, ("a0", "b0"), ("b5", "c0")]))
    with running(path) as page:
        client = Client(page.address)
        visit = visit_of(client)
        state_of(client, visit)
        change(client, visit, "clusters", n_clusters=3)
        state = state_of(client, visit)
        assert [cluster["size"] for cluster in state["found"]["clusters"]] == [12, 12, 12]
        assert len(client.ask(f"/map?visit={visit}")[2]) == 36 * 2 * 2
        change(client, visit, "split", cluster=0)
        assert len(state_of(client, visit)["found"]["clusters"]) == 4
        assert "columns" not in json.loads(client.ask(f"/point?visit={visit}&row=0")[2])
        assert labels_of(client, visit)[0]["node"] == "a0"
        assert client.ask(f"/report.html?visit={visit}")[0] == 200

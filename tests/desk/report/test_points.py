from base64 import b64decode

import numpy as np
import scipy.sparse as sp

from results import model_of, random_model, result_of
from s3nmf.desk.report.points import MOST_EDGES, columns_of, edges_to_show, packed_shares, points_to_show
from s3nmf.partitions import NO_CLUSTER


def unpacked(text, dtype="<u2"):
    return np.frombuffer(b64decode(text), dtype=dtype)


def test_the_script_gets_what_was_found():
    model = random_model(200, 4)
    found = model.diagnose()
    positions = np.random.default_rng(0).normal(size=(200, 2)) * [3.0, 1.0]
    columns = columns_of(points_to_show(found.confidence, None), positions, model.labels_, found)
    np.testing.assert_array_equal(unpacked(columns["cluster"]), model.labels_)
    np.testing.assert_allclose(unpacked(columns["confidence"], "<f4"), found.confidence, rtol=1e-6)
    np.testing.assert_allclose(unpacked(columns["share"], "<f4"), found.second_share, rtol=1e-6)
    np.testing.assert_array_equal(unpacked(columns["second"], "<i4"), found.second_choice)
    assert [model.labels_[at] for at in columns["middle"]] == [0, 1, 2, 3]


def test_a_point_without_a_second_choice_says_so():
    model = model_of(result_of([np.repeat([0, 1], 5)] * 2))
    columns = columns_of(points_to_show(model.confidence_, None), np.zeros((10, 2)), model.labels_, model.diagnose())
    assert set(unpacked(columns["second"], "<i4")) == {NO_CLUSTER}


def test_places_keep_their_proportions_and_fill_the_wider_side():
    model = random_model(50, 2)
    positions = np.random.default_rng(0).normal(size=(50, 2)) * [3.0, 1.0] + 1e6
    columns = columns_of(points_to_show(model.confidence_, None), positions, model.labels_, model.diagnose())
    x, y = (unpacked(columns[name]).astype(float) for name in "xy")
    assert (x.min(), x.max()) == (0, 65535)
    scale = 65535 / np.ptp(positions[:, 0])
    np.testing.assert_allclose(np.diff(x), scale * np.diff(positions[:, 0]), atol=1.1)
    np.testing.assert_allclose(np.diff(y), -scale * np.diff(positions[:, 1]), atol=1.1)


def test_points_on_one_spot_are_in_the_middle():
    model = random_model(10, 2)
    columns = columns_of(points_to_show(model.confidence_, None), np.ones((10, 2)), model.labels_, model.diagnose())
    assert set(unpacked(columns["x"])) == set(unpacked(columns["y"])) == {32768}


def test_of_too_many_points_the_least_certain_are_kept():
    confidence = np.random.default_rng(0).random(1000)
    points = points_to_show(confidence, [f"p{row}" for row in range(1000)], most=100)
    assert points.shown.size == np.unique(points.shown).size == 100
    assert set(np.argsort(confidence)[:50]) <= set(points.shown)
    assert np.ptp(confidence[points.shown]) > 0.95
    assert points.ids == [f"p{row}" for row in points.shown]
    assert points.name(3) == f"p{points.shown[3]}"


def test_points_without_ids_are_called_by_their_rows():
    points = points_to_show(np.linspace(0, 1, 30), None, most=10)
    assert points.ids is None
    assert points.name(9) == "point 29"
    assert points_to_show(np.linspace(0, 1, 30), None, "cell").name(9) == "cell 9"
    model = random_model(30, 3)
    columns = columns_of(points, np.zeros((10, 2)), model.labels_, model.diagnose())
    assert columns["rows"] == points.shown.tolist()


def test_a_cluster_with_no_point_shown_has_no_middle():
    model = random_model(30, 3)
    points = points_to_show(np.where(model.labels_ == 2, 1.0, 0.0), None, most=4)
    columns = columns_of(points, np.zeros((4, 2)), model.labels_, model.diagnose())
    shown = set(model.labels_[points.shown])
    assert [at >= 0 for at in columns["middle"]] == [cluster in shown for cluster in range(3)]


def test_shares_take_a_byte():
    assert b64decode(packed_shares(np.array([0.0, 0.5, 1.0]))) == bytes([0, 128, 255])


def test_a_given_graph_shows_its_edges_once_each():
    W = np.zeros((5, 5))
    W[[0, 1, 3], [1, 4, 2]] = 0.5
    assert unpacked(edges_to_show(W + W.T, given=True)).reshape(-1, 2).tolist() == [[0, 1], [1, 4], [2, 3]]
    assert edges_to_show(W + W.T, given=False) is None


def test_a_graph_that_would_be_a_blot_shows_no_edges():
    assert edges_to_show(sp.eye_array(501, format="csr"), given=True) is None
    n = 1 + int(np.sqrt(2 * MOST_EDGES)) + 1
    assert edges_to_show(np.ones((n, n)), given=True) is None

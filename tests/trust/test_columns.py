import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs
from sklearn.preprocessing import scale

from s3nmf import S3NMF
from s3nmf.trust.columns import telling_column


def table(seed=0, n=300):
    random = np.random.default_rng(seed)
    return random, random.normal(size=(n, 3))


def test_the_column_whose_values_are_the_clusters_is_found():
    random, X = table()
    plan = random.integers(0, 3, 300)
    found = telling_column(np.column_stack([X, plan]), plan)
    assert (found.columns, found.share, found.has_values) == ((3,), 1.0, True)
    assert found.name(["a", "b", "c", "plan"]) == "plan"
    assert found.name(None) == "Column 3"


def test_categories_are_one_variable_with_one_name():
    random, X = table()
    plan = random.integers(0, 3, 300)
    found = telling_column(np.column_stack([X, np.eye(3)[plan]]), np.minimum(plan, 1))
    assert found.columns == (3, 4, 5)
    assert found.name(["a", "b", "c", "plan=free", "plan=paid", "plan=trial"]) == "plan"


def test_a_column_that_is_cut_between_clusters_has_no_values():
    _, X = table()
    X[:150, 1] += 20
    found = telling_column(X, np.repeat([0, 1], 150))
    assert (found.columns, found.has_values) == ((1,), False)


def test_no_column_alone_tells_clusters_of_several():
    X, y = make_blobs(400, centers=[[0, 0], [6, 0], [0, 6], [6, 6]], random_state=0)
    assert telling_column(X, y) is None
    assert telling_column(sp.csr_array(X), y) is None
    assert telling_column(X[:, :1], (X[:, 0] > 3).astype(int)) is None, "one column is the data"


def test_one_large_cluster_is_not_told_by_every_column():
    _, X = table()
    assert telling_column(X, (np.arange(300) < 5).astype(int)) is None


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_the_verdict_names_the_column_whatever_the_array_is_called():
    random = np.random.default_rng(0)
    plan = random.integers(0, 2, 300)
    X = scale(np.column_stack([random.normal(size=(300, 4)), plan]))
    X[:, 0] += 2 * plan  # what the column stands for is seen in another one, too
    model = S3NMF(2, members=np.tile(plan, (3, 1))).fit(X)
    assert "These clusters are the values of Column 4" in [doubt.what for doubt in model.judge().doubts]
    model.name_columns(["a", "b", "c", "d", "plan"])
    assert "These clusters are the values of plan" in [doubt.what for doubt in model.judge().doubts]

import numpy as np
import pytest

from s3nmf.paper.datasets import SHAPES, load
from s3nmf.paper.published import published


@pytest.mark.parametrize("name", SHAPES)
def test_data_sets_have_the_papers_shapes(name, data_directory):
    data = load(name)
    assert data.X.shape == SHAPES[name][:2]
    assert np.array_equal(np.unique(data.y), np.arange(SHAPES[name].classes))


@pytest.mark.parametrize(("name", "checksum"), [("MNIST*", 26560501), ("USPS*", 65353.403)])
def test_subsets_have_a_hundred_rows_of_each_class_and_stay_the_same(name, checksum, data_directory):
    data = load(name)
    assert (np.bincount(data.y) == 100).all()
    assert float(data.X.sum(dtype=float)) == pytest.approx(checksum, rel=1e-6)


def test_missing_data_say_where_they_should_be(tmp_path, monkeypatch):
    with pytest.raises(FileNotFoundError, match=r"SEEDS: .*seeds\.npz does not exist"):
        load("SEEDS", tmp_path)
    monkeypatch.delenv("S3NMF_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="S3NMF_DATA"):
        load("SEEDS")
    with pytest.raises(ValueError, match=r"'SEED' is not one of .*SEEDS"):
        load("SEED", tmp_path)


def test_a_file_of_another_shape_is_refused(tmp_path):
    np.savez(tmp_path / "seeds.npz", X=np.ones((5, 7)), y=np.arange(5))
    with pytest.raises(ValueError, match=r"holds \(5, 7, 5\) \(n, d, classes\), the paper's is \(210, 7, 3\)"):
        load("SEEDS", tmp_path)


@pytest.mark.parametrize("name", SHAPES)
def test_the_paper_has_a_number_for_every_data_set(name):
    assert 0.5 < published(name, "S3NMF", "ACC").mean < 1

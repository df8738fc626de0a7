import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.utils import Bunch

from experiments import downloads, load
from experiments.datasets import SHAPES, DataSet, cache_directory, data_hash


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """No data but what a test puts into the cache."""
    monkeypatch.delenv("S3NMF_DATA", raising=False)
    monkeypatch.setenv("S3NMF_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture
def openml(monkeypatch):
    """OpenML with USPS alone, in which the test part has another ink; it counts what is fetched."""
    fetched = []

    def fetch_openml(name, *, version, as_frame, parser):
        fetched.append((name, version))
        X = np.zeros((9298, 256))
        X[-2007:] = 1.0
        return Bunch(data=X, target=(np.arange(9298) % 10 + 1).astype(str))

    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch_openml)
    return fetched


def put_seeds(directory, offset):
    directory.mkdir(exist_ok=True)
    downloads.save(directory / "seeds.npz", np.full((210, 7), float(offset)), np.arange(210) % 3)


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


def test_a_plain_random_subset_does_not_look_at_the_classes(data_directory):
    data = load("USPS*", subset="random")
    assert data.X.shape == (1000, 256)
    assert np.bincount(data.y).std() > 10
    with pytest.raises(ValueError, match="subset='stratified' must be one of 'per class', 'random'"):
        load("USPS*", subset="stratified")


def test_the_given_directory_comes_before_the_variable_before_the_cache(nowhere, monkeypatch):
    put_seeds(nowhere / "cache", 3)
    assert load("SEEDS").X[0, 0] == 3
    put_seeds(nowhere / "variable", 2)
    monkeypatch.setenv("S3NMF_DATA", str(nowhere / "variable"))
    assert load("SEEDS").X[0, 0] == 2
    put_seeds(nowhere / "given", 1)
    assert load("SEEDS", nowhere / "given").X[0, 0] == 1
    assert load("SEEDS", nowhere / "empty").X[0, 0] == 2


def test_iris_needs_no_file(nowhere):
    np.testing.assert_array_equal(load("IRIS").X, load_iris().data)


def test_nothing_is_downloaded_unasked(nowhere, openml):
    with pytest.raises(FileNotFoundError, match=r"no uspst\.npz in .*cache.*load\('USPST', download=True\) fetches it"):
        load("USPST")
    assert openml == []


def test_a_download_is_checked_and_kept_in_the_cache(nowhere, openml):
    data = load("USPST", download=True)
    assert data.X.shape == (2007, 256)
    assert (data.X == 1).all()
    assert np.array_equal(np.unique(data.y), np.arange(10))
    assert openml == [("USPS", 2)]
    assert load("USPST", download=True).X.shape == (2007, 256)
    assert openml == [("USPS", 2)]
    with pytest.raises(ValueError, match=r"semeion\.npz holds \(9298, 256, 10\) .* the paper's is \(1593, 256, 10\)"):
        load("SEMEION", download=True)


@pytest.mark.parametrize("name", ["PALM", "MSRA"])
def test_what_openml_has_not_says_which_file_to_put_where(name, nowhere, openml):
    says = rf"{name} is not on OpenML\. Take .* save them as .*{name.lower()}\.npz"
    with pytest.raises(FileNotFoundError, match=says):
        load(name, download=True)
    assert openml == []


def test_missing_data_say_where_they_should_be(nowhere):
    with pytest.raises(FileNotFoundError, match=r"set the environment variable S3NMF_DATA"):
        load("SEEDS")
    with pytest.raises(FileNotFoundError, match=r"experiments\.control_charts makes series like these"):
        load("CHART")
    with pytest.raises(ValueError, match=r"'SEED' is not one of .*SEEDS"):
        load("SEED")


def test_a_file_of_another_shape_is_refused(tmp_path):
    np.savez(tmp_path / "seeds.npz", X=np.ones((5, 7)), y=np.arange(5))
    with pytest.raises(ValueError, match=r"holds \(5, 7, 5\) \(n, d, classes\), the paper's is \(210, 7, 3\)"):
        load("SEEDS", tmp_path)


@pytest.mark.parametrize(
    ("platform", "variable", "ending"),
    [("linux", "XDG_CACHE_HOME", "s3nmf"), ("win32", "LOCALAPPDATA", "s3nmf"), ("darwin", "HOME", "Caches/s3nmf")],
)
def test_the_cache_is_where_the_platform_keeps_caches(platform, variable, ending, tmp_path, monkeypatch):
    monkeypatch.delenv("S3NMF_CACHE", raising=False)
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv(variable, str(tmp_path))
    assert cache_directory().is_relative_to(tmp_path)
    assert cache_directory().as_posix().endswith(ending)


def test_the_hash_is_that_of_the_numbers():
    X, y = np.arange(6.0).reshape(3, 2), np.array([0, 1, 1])
    same = data_hash(DataSet("A", X.copy(order="F"), y.astype(np.int32)))
    assert data_hash(DataSet("B", X, y)) == same
    changed = [DataSet("A", X + 1e-12, y), DataSet("A", X, y[::-1]), DataSet("A", X.reshape(2, 3), y[:2])]
    assert len({same, *(data_hash(data) for data in changed)}) == 4

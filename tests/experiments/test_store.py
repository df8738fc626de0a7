import hashlib
import io
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.results import Results
from experiments.store import DamagedRunWarning, Store, parquet
from outcomes import keyed, outcome


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


def test_what_was_saved_is_read_back_to_the_last_bit(store):
    full = outcome(
        acc=1 / 3,
        members_acc=0.1 + 0.2,
        rounds_acc=[0.1, 1e-17, 1.0],
        rounds_agreement=[1.0],
        converged=False,
        n_iter=2**40,
        machine="ä",
    )
    store.save(full)
    store.save(outcome(keyed(2), seed=1))
    assert Results(store.directory).outcomes() == [full, outcome(keyed(2), seed=1)]
    assert store.keys() == {full.key, keyed(2)}
    assert store.has(keyed(2))
    assert not store.has(keyed(3))


def test_one_file_holds_the_same_as_the_store(store, tmp_path):
    for seed in range(50):
        store.save(outcome(keyed(seed), seed=seed, acc=seed / 50))
    results = Results(store.directory)
    results.save(tmp_path / "docs" / "all.parquet")
    assert Results(tmp_path / "docs" / "all.parquet").outcomes() == results.outcomes()
    assert (tmp_path / "docs" / "all.parquet").stat().st_size < 25_000


def test_a_store_goes_on_from_the_one_file_of_another(store, tmp_path):
    for seed in range(3):
        store.save(outcome(keyed(seed), seed=seed))
    Results(store.directory).save(tmp_path / "all.parquet")
    other = Store(tmp_path / "other")
    other.save(outcome(keyed(1), seed=1, machine="another"))
    assert other.adopt(Results(tmp_path / "all.parquet").outcomes()) == 2
    assert other.keys() == store.keys()
    assert [found.machine == "another" for found in Results(other.directory).outcomes()] == [False, True, False]
    assert other.adopt(Results(tmp_path / "all.parquet").outcomes()) == 0


def test_without_runs_the_message_says_how_to_make_them(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no runs in .*nothing. `python -m experiments run` makes them"):
        Results(tmp_path / "nothing")


@settings(max_examples=15)
@given(data=st.data())
def test_any_damage_to_a_file_is_found_and_the_file_set_aside(data, tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("store"))
    store.save(outcome())
    store.save(outcome(keyed(2)))
    path = next((store.directory / "runs").glob(f"{keyed(2)}-*"))
    content = bytearray(path.read_bytes())
    if data.draw(st.booleans(), label="cut"):
        del content[data.draw(st.integers(0, len(content) - 1)) :]
    else:
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content)
    with pytest.warns(DamagedRunWarning, match=rf"{keyed(2)}-\w+\.parquet is damaged.*moved to .*aside"):
        assert store.keys() == {outcome().key}
    assert (store.directory / "aside" / path.name).read_bytes() == content
    assert not store.has(keyed(2))
    assert Results(store.directory).outcomes() == [outcome()]
    store.save(outcome(keyed(2)))
    assert store.keys() == {outcome().key, keyed(2)}


def test_a_file_that_another_program_has_just_set_aside_is_none(store, monkeypatch):
    store.save(outcome())
    store.save(outcome(keyed(2)))
    gone = next((store.directory / "runs").glob(f"{keyed(2)}-*"))
    read = Path.read_bytes

    def vanishing(path):
        if path == gone:
            path.unlink()
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", vanishing)
    assert store.keys() == {outcome().key}


def test_a_file_under_a_wrong_name_is_set_aside(store):
    store.save(outcome())
    path = next((store.directory / "runs").iterdir())
    shutil.copy(path, path.with_name("notes.parquet"))
    with pytest.warns(DamagedRunWarning, match="notes.parquet"):
        assert store.keys() == {outcome().key}


def test_a_part_of_a_file_that_was_being_written_is_not_seen(store, monkeypatch):
    store.save(outcome())

    def killed(*_):
        assert not store.has(keyed(2)), "it has its name before it is on the disk"
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        store.save(outcome(keyed(2)))
    assert store.keys() == {outcome().key}
    assert len(list((store.directory / "runs").iterdir())) == 1


def test_of_two_files_for_one_run_the_first_to_finish_counts(store):
    store.save(outcome(finished="2026-01-02", seconds=2.0))
    store.save(outcome(finished="2026-01-01", seconds=1.0))
    assert [found.seconds for found in Results(store.directory).outcomes()] == [1.0]


def test_runs_on_an_older_copy_of_a_data_set_do_not_count(store):
    store.save(outcome(keyed(1), data_hash="old", finished="2026-01-01"))
    store.save(outcome(keyed(2), data_hash="old", finished="2026-01-01", method="SR"))
    store.save(outcome(keyed(3), data_hash="new", finished="2026-01-02"))
    store.save(outcome(keyed(4), data_hash="other", finished="2025-01-01", dataset="IRIS"))
    assert {found.key for found in Results(store.directory).outcomes()} == {keyed(3), keyed(4)}


def test_runs_with_defaults_that_a_method_no_longer_has_do_not_count(store):
    store.save(outcome(keyed(1), parameters='{"tol": 1}', finished="2026-01-01"))
    store.save(outcome(keyed(2), parameters='{"tol": 2}', finished="2026-01-02"))
    store.save(outcome(keyed(3), parameters='{"tol": 1}', finished="2026-01-01", setting='{"tol": 1}'))
    assert {found.key for found in Results(store.directory).outcomes()} == {keyed(2), keyed(3)}


def test_runs_from_before_the_code_was_recorded_are_read(store, tmp_path):
    def without_code(content):
        buffer = io.BytesIO()
        pq.write_table(pq.read_table(io.BytesIO(content)).drop_columns(["code"]), buffer)
        return buffer.getvalue()

    old, new = outcome(keyed(1), code=None), outcome(keyed(2), seed=1, code="v1-dirty")
    (tmp_path / "old.parquet").write_bytes(without_code(parquet([old])))
    assert Results(tmp_path / "old.parquet").outcomes() == [old]
    store.adopt(Results(tmp_path / "old.parquet").outcomes())
    store.save(new)
    assert Results(store.directory).outcomes() == [old, new]
    content = without_code(parquet([old]))
    for path in (store.directory / "runs").glob(f"{keyed(1)}-*"):
        path.unlink()
    digest = hashlib.sha256(content).hexdigest()[:16]
    (store.directory / "runs" / f"{keyed(1)}-{digest}.parquet").write_bytes(content)
    assert Results(store.directory).outcomes() == [old, new]


def test_rows_can_be_asked_by_sql(store):
    for seed in range(3):
        store.save(outcome(keyed(seed), seed=seed, acc=0.1 * seed))
    assert Results(store.directory).rows(
        "select method, avg(acc), count(*) from runs where seed > ? group by all", 0
    ) == [("SC", pytest.approx(0.15), 2)]

import os
import signal
import subprocess
import sys
import time
from dataclasses import asdict

import numpy as np
import pytest
from sklearn.base import clone

import tiny_suite
from experiments import shared_work
from experiments.code_state import code_state
from experiments.costs import Costs, measured, most_informative_first
from experiments.outcome import CIRCUMSTANCES
from experiments.protocols import GRIDS, Run, plan, selected
from experiments.repeated_ssc import RepeatedSSC
from experiments.results import Results
from experiments.runs import execute, execute_all, keys_of
from experiments.store import DamagedRunWarning, Store
from experiments.variants import ALL_ROUNDS, GOLDEN, PaperS3NMF, with_variants
from s3nmf import LocallyWeightedClustering, Recipe, SpectralEnsembleClustering
from s3nmf.metrics import accuracy, evaluate


@pytest.fixture(scope="module")
def problems():
    return tiny_suite.problems()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory):
    store = tmp_path_factory.mktemp("uninterrupted")
    assert not [finished.error for finished in tiny_suite.main(store) if finished.error]
    return store


def contents(directory):
    """All that a store holds but for the circumstances."""
    rows = [asdict(found) for found in Results(directory).outcomes()]
    return [{name: value for name, value in row.items() if name not in CIRCUMSTANCES} for row in rows]


def start(directory, *names):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen([sys.executable, tiny_suite.__file__, str(directory), *names], env=environment)


def test_a_run_killed_in_the_middle_continues_to_the_same_store(uninterrupted, tmp_path):
    n_runs = len(contents(uninterrupted))
    program = start(tmp_path)
    deadline = time.monotonic() + 60
    while len(list(tmp_path.glob("runs/*.parquet"))) < n_runs // 3:
        assert program.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.002)
    program.send_signal(signal.SIGKILL)
    program.wait()
    kept = {path: path.read_bytes() for path in tmp_path.glob("runs/*.parquet")}
    assert n_runs // 3 <= len(kept) < n_runs
    assert not [finished.error for finished in tiny_suite.main(tmp_path) if finished.error]
    assert contents(tmp_path) == contents(uninterrupted)
    assert all(path.read_bytes() == content for path, content in kept.items())
    assert len(list(tmp_path.glob("runs/*.parquet"))) == n_runs


def test_two_programs_on_one_store_leave_it_whole(uninterrupted, tmp_path):
    programs = [start(tmp_path, "SC,SR") for _ in range(2)]
    assert [program.wait(60) for program in programs] == [0, 0]
    assert contents(tmp_path) == [row for row in contents(uninterrupted) if row["method"] in {"SC", "SR"}]


def test_what_another_program_has_done_meanwhile_is_not_done_again(problems, tmp_path):
    for _ in range(2):
        execute(problems["IRIS"], Run("IRIS", "SR", 0), tiny_suite.Slow(seconds=0.0), Store(tmp_path))
    assert len(list(tmp_path.glob("runs/*.parquet"))) == 1


def test_several_processes_give_the_same_store(uninterrupted, tmp_path):
    tiny_suite.main(tmp_path, "SC,SNMF", jobs=2)
    assert contents(tmp_path) == [row for row in contents(uninterrupted) if row["method"] in {"SC", "SNMF"}]


def test_a_damaged_file_is_set_aside_and_its_run_done_again(tmp_path):
    tiny_suite.main(tmp_path, "SR,SC")
    before = contents(tmp_path)
    half = next(tmp_path.glob("runs/*.parquet"))
    half.write_bytes(half.read_bytes()[:1000])
    with pytest.warns(DamagedRunWarning):
        done = tiny_suite.main(tmp_path, "SR,SC")
    assert len(done) == 1
    assert contents(tmp_path) == before
    assert [path.name for path in (tmp_path / "aside").iterdir()] == [half.name]


@pytest.mark.filterwarnings("ignore::s3nmf.DisconnectedGraphWarning")
def test_a_row_holds_what_the_fit_gave(problems, tmp_path):
    problem = problems["SEEDS"]
    model = PaperS3NMF(n_members=4, max_rounds=1, recipe=Recipe(max_iter=5))
    execute(problem, Run("SEEDS", "S3NMF", 5, (("tau", 5.0),)), model, Store(tmp_path))
    (row,) = Results(tmp_path).outcomes()
    fitted = clone(model).set_params(n_clusters=3, random_state=5, tau=5.0).fit(problem.W)
    scores = np.array([evaluate(problem.y, labels) for labels in fitted.member_labels_])
    assert (row.acc, row.nmi, row.pur, row.ari, row.f1) == evaluate(problem.y, fitted.labels_)
    assert (row.members_acc, row.members_f1) == pytest.approx((scores.mean(axis=0)[0], scores.mean(axis=0)[4]))
    assert (row.spread_acc, row.spread_f1) == pytest.approx(
        (scores.std(axis=0, ddof=1)[0], scores.std(axis=0, ddof=1)[4])
    )
    assert row.spread_acc > 0
    assert row.rounds_agreement == fitted.agreement_.tolist()
    assert len(row.rounds_acc) == len(fitted.result_.history)
    assert row.rounds_acc[row.chosen_round - 1] == pytest.approx(row.members_acc)
    assert (row.chosen_round, row.n_members, row.n_iter) == (fitted.chosen_round_, 4, fitted.n_iter_)
    assert (row.n_samples, row.n_clusters, row.clusters, row.components) == (60, 3, 3, problem.components)
    assert row.setting == '{"tau": 5.0}'
    assert '"tau": 5.0' in row.parameters
    assert "random_state" not in row.parameters
    assert row.numpy == np.__version__
    assert row.code == code_state()
    assert row.seconds > 0 == row.shared_seconds


def test_a_method_that_fails_is_reported_and_the_others_go_on(problems, tmp_path):
    methods = {"SC": tiny_suite.Failing(), "SR": tiny_suite.Slow(seconds=0.0)}
    runs = plan(methods, ["IRIS"], repetitions=2)
    finished = list(execute_all(runs, problems, methods, Store(tmp_path)))
    assert [one.error for one in finished if one.run.method == "SC"] == [
        "FloatingPointError: the factor overflowed"
    ] * 2
    assert {row.method for row in Results(tmp_path).outcomes()} == {"SR"}


def test_shared_work_is_made_once(problems, tmp_path, monkeypatch):
    made = []

    def partitions(W, n_clusters, *, n_members, max_iter, tol, random_state):
        made.append(("partitions", random_state))
        return np.random.default_rng(random_state).integers(0, n_clusters, (n_members, W.shape[0]))

    def projection(W, n_clusters, *, beta, max_iter, tol):
        made.append(("projection", beta))
        return np.arange(W.shape[0])

    for kind, make in (("partitions", partitions), ("projection", projection)):
        monkeypatch.setitem(shared_work.KINDS, kind, shared_work.KINDS[kind]._replace(make=make))
    methods = {"SEC": tiny_suite.Voting(), "LWGP": tiny_suite.Voting(), "SSC": tiny_suite.Projecting(beta=1e-6)}
    runs = plan(methods, ["IRIS"], protocol="oracle", repetitions=3)
    list(execute_all(runs, problems, methods, Store(tmp_path)))
    assert len(Results(tmp_path).outcomes()) == 3 * (1 + 5 + 11)
    assert len(made) == len(set(made)) == 3 + 11
    same = Results(tmp_path).rows(
        "select count(distinct acc) from runs where dataset = 'IRIS' and seed = 1 and method <> 'SSC'"
    )
    assert same == [(1,)]
    (seconds,) = Results(tmp_path).rows("select min(shared_seconds) from runs")
    assert seconds[0] > 0


def test_given_base_partitions_are_those_that_the_method_would_make(problems, tmp_path):
    for name, model in (
        ("SEC", SpectralEnsembleClustering()),
        ("LWGP", LocallyWeightedClustering(consensus="bipartite")),
    ):
        execute(problems["IRIS"], Run("IRIS", name, 3), model, Store(tmp_path))
        alone = clone(model).set_params(n_clusters=2, affinity="precomputed", random_state=3).fit(problems["IRIS"].W)
        ((acc, shared_seconds),) = Results(tmp_path).rows("select acc, shared_seconds from runs where method = ?", name)
        assert acc == accuracy(problems["IRIS"].y, alone.labels_)
        assert shared_seconds > 0


def test_ssc_repeated_from_one_projection_is_ssc(problems, tmp_path):
    sparse = pytest.importorskip("s3nmf.baselines.spectral.sparse", exc_type=ImportError)
    problem = problems["IRIS"]
    execute(problem, Run("IRIS", "SSC", 3), RepeatedSSC(), Store(tmp_path))
    alone = sparse.sparse_spectral_clustering(problem.W, 2, random_state=3)
    (row,) = Results(tmp_path).outcomes()
    assert (row.acc, row.n_iter) == (accuracy(problem.y, alone.labels), alone.solution.n_iter)


def test_a_run_waits_for_shared_work_that_another_is_making(problems, monkeypatch):
    from experiments.runs import _Queue  # noqa: PLC0415

    runs = [Run("IRIS", method, 0) for method in ("SEC", "LWCA", "SC", "LWGP")]
    work = {"SEC": "partitions", "LWCA": "partitions", "LWGP": "partitions", "SC": None}
    queue = _Queue(runs, lambda run: work[run.method], lambda run: True)
    order = iter(queue)
    assert [next(order).method, next(order).method] == ["SEC", "SC"]
    queue.over(runs[0])
    assert [run.method for run in order] == ["LWCA", "LWGP"]


def test_the_budget_is_kept(problems, tmp_path):
    methods = {"SR": tiny_suite.Slow(seconds=0.1), "SC": tiny_suite.Slow(seconds=30.0)}
    runs = plan(methods, ["IRIS"], repetitions=20)
    began = time.monotonic()
    list(
        execute_all(runs, problems, methods, Store(tmp_path), budget=0.5, cost=lambda run: methods[run.method].seconds)
    )
    assert time.monotonic() - began < 2
    assert 2 <= len(Results(tmp_path).outcomes()) <= 5


def test_a_plan_has_every_run_once():
    suite = with_variants(tiny_suite.methods())
    suite["SSC"], suite["LWCA"] = tiny_suite.Projecting(), tiny_suite.Voting()
    fixed = plan(suite, ["SEEDS", "IRIS"], repetitions=20, sweep_repetitions=5)
    # 4 methods and the 2 asked for above, 2 ablations and the text; sizes and taus but for the defaults; all rounds.
    # The size 4 of the small S3NMF is not among those of the figure, so the sweep has all seven.
    assert len(fixed) == len(set(fixed)) == 2 * (20 * 9 + 5 * (7 + 5 + 1)) + 1
    oracle = plan(suite, ["SEEDS", "IRIS"], protocol="oracle", repetitions=20, sweep_repetitions=5)
    assert len(oracle) == len(fixed) + 2 * 20 * (10 + 4)
    assert set(fixed) <= set(oracle)
    assert [run for run in fixed if run.method == GOLDEN] == [Run("SEEDS", GOLDEN, 0)]
    assert len([run for run in fixed if run.method == ALL_ROUNDS]) == 10


def test_a_grid_over_a_parameter_that_a_method_has_not_is_refused():
    with pytest.raises(ValueError, match=r"The grid of SSC is over 'beta', which is not a parameter of Voting\(\)"):
        plan({"SSC": tiny_suite.Voting()}, ["IRIS"], protocol="oracle")
    assert GRIDS["SSC"][1][0] == 1e-6


def test_a_default_by_another_name_is_the_same_run(problems):
    methods = {"SSC": tiny_suite.Projecting(beta=1e-3)}
    runs = plan(methods, ["IRIS"], protocol="oracle", repetitions=1)
    assert len(runs) == len(set(keys_of(runs, problems, methods).values())) == 11
    assert Run("IRIS", "SSC", 0) in runs


def test_the_key_changes_with_data_method_parameters_and_seed_alone(problems):
    run, model = Run("IRIS", "SR", 0), tiny_suite.Slow()
    keys = [
        keys_of([changed], problems, {"SR": estimator, "SC": estimator})[changed]
        for changed, estimator in [
            (run, model),
            (Run("SEEDS", "SR", 0), model),
            (Run("IRIS", "SC", 0), model),
            (Run("IRIS", "SR", 1), model),
            (run, tiny_suite.Slow(seconds=1.0)),
            (Run("IRIS", "SR", 0, (("seconds", 2.0),)), model),
        ]
    ]
    assert len(set(keys)) == len(keys)
    assert keys_of([run], problems, {"SR": tiny_suite.Slow(n_clusters=7, random_state=3)})[run] == keys[0]


def test_a_default_that_was_a_setting_of_the_grid_is_another_run(problems):
    """Else it would count as done, under the name of the grid, and the table would show the old default."""
    before, now = Run("IRIS", "SR", 0, (("seconds", 2.0),)), Run("IRIS", "SR", 0)
    old, new = {"SR": tiny_suite.Slow()}, {"SR": tiny_suite.Slow(seconds=2.0)}
    assert keys_of([before], problems, old)[before] != keys_of([now], problems, new)[now]


def test_only_what_is_named_is_run():
    runs = plan(with_variants(tiny_suite.methods()), ["MNIST*", "IRIS"], repetitions=1)
    assert {(run.dataset, run.method) for run in selected(runs, ["mnist", "S3NMF", "SC"])} == {
        ("MNIST*", "S3NMF"),
        ("MNIST*", "SC"),
    }
    assert {run.dataset for run in selected(runs, ["SC"])} == {"MNIST*", "IRIS"}
    assert selected(runs, []) == runs
    with pytest.raises(ValueError, match=r"nothing called SEDS to run; there is MNIST\*, IRIS, SNMF, SC"):
        selected(runs, ["SEDS", "IRIS"])


def test_the_most_informative_runs_come_first(problems):
    suite = with_variants(tiny_suite.methods())
    costs = Costs(problems)
    runs = most_informative_first(plan(suite, ["SEEDS", "IRIS"], repetitions=2), costs)
    assert [run.seed for run in runs] == sorted(run.seed for run in runs)
    first = [run for run in runs if run.seed == 0]
    assert {run.method for run in first[:4]} == {"S3NMF", "SNMF"}
    assert [run.dataset for run in first[:4] if run.method == "S3NMF"] == ["IRIS", "SEEDS"]
    assert [run.method for run in first[4:8]] != [run.method for run in first[:4]]
    assert all(run.method in {"S3NMF", ALL_ROUNDS} for run in first[-20:])


def test_measured_seconds_replace_guesses(uninterrupted, problems):
    costs = Costs(problems, measured(Results(uninterrupted)))
    assert costs(Run("IRIS", "SR", 7)) == pytest.approx(0.05, abs=0.02)
    assert costs(Run("IRIS", "vBSUM", 0)) == pytest.approx(3e-4 * 50 * 2 * (1 + 2 / 50))

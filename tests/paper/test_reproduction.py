from s3nmf.paper import defaults, reproduction
from s3nmf.paper.reproduction import Run


def made_up(dataset, seed, members, labels, single=0.5):
    return Run(dataset, seed, 1 + (dataset == "IRIS"), 4, 3, single, members, 0.01 * seed, labels, 0.75, 2.0)


RUNS = [
    made_up("SEEDS", 0, 0.80, 0.82),
    made_up("SEEDS", 1, 0.90, 0.94),
    made_up("IRIS", 0, 0.90, 0.92),
    made_up("IRIS", 1, 0.94, 0.94, single=0.99),
    made_up("USPS*", 0, 0.70, 0.71),
]


def test_every_number_of_the_table_is_right():
    lines = reproduction.table(RUNS).split("\n")
    assert lines[2:] == [
        "| SEEDS | 210 | 3 | 0.881 ± 0.000 | 0.850 [0.800, 0.900] | 0.005 | 0.880 [0.820, 0.940] | 0.500 | 0.75 | 2.0 |",  # noqa: E501
        "| IRIS | 150 | 3 | 0.886 ± 0.031 | 0.920 [0.900, 0.940] | 0.005 | 0.930 [0.920, 0.940] | 0.745 | 0.75 | 2.0 |",
        "| USPS\\* | 1000 | 10 | 0.847 ± 0.019 | 0.700 [0.700, 0.700] | 0.000 | 0.710 [0.710, 0.710] | 0.500 | 0.75 | 2.0 |",  # noqa: E501
    ]


def test_the_verdict_says_where_we_are_below_the_paper():
    verdict = reproduction.verdict(RUNS)
    assert "below the paper's on SEEDS (-0.031), USPS\\* (-0.147); equal or above on IRIS (+0.034)" in verdict
    assert "within our spread over seeds on SEEDS." in verdict
    assert "worse than one SNMF on none" in verdict
    assert "worse than the members' mean on none" in verdict
    assert "worse than the members' mean on SEEDS (-0.050)" in reproduction.verdict([made_up("SEEDS", 0, 0.8, 0.75)])
    worse = reproduction.verdict([made_up("SEEDS", 0, 0.4, 0.4)])
    assert "worse than one SNMF on SEEDS." in worse


def test_saved_runs_make_the_same_page(tmp_path):
    reproduction.save(RUNS, tmp_path / "page.csv")
    assert reproduction.read(tmp_path / "page.csv") == RUNS
    reproduction.main(["--redraw", "--output", str(tmp_path / "page.md")])
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == reproduction.document(RUNS)
    assert "IRIS (2)" in reproduction.document(RUNS)


def test_the_command_runs_scores_and_writes(tmp_path, data_directory, capsys):
    reproduction.main(["--only", "IRIS", "--seeds", "2", "--jobs", "1", "--output", str(tmp_path / "page.md")])
    runs = reproduction.read(tmp_path / "page.csv")
    assert [(found.dataset, found.seed) for found in runs] == [("IRIS", 0), ("IRIS", 1)]
    assert all(0.6 < found.labels_acc < 1 for found in runs)
    assert all(found.members_acc > found.single_acc for found in runs)
    assert "2/2 IRIS seed 1: ACC" in capsys.readouterr().out


def test_the_comparison_of_both_forms_is_right(tmp_path):
    faster = [one._replace(labels_acc=one.labels_acc + 0.01, members_acc=0.9, seconds=0.5) for one in RUNS[:4]]
    reproduction.save(RUNS, tmp_path / "reproduction.csv")
    reproduction.save(faster, tmp_path / "page.csv")
    defaults.main(["--redraw", "--output", str(tmp_path / "page.md")])
    page = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "| SEEDS | 0.880 | 0.890 | +0.010 | 0.850 | 0.900 | +0.050 | 2.0 | 0.5 | 4.0 |" in page
    assert "| **mean** | | | **+0.0100** | | | **+0.0150** | | | **4.0** |" in page
    assert "USPS" not in page

import csv
import re

import pytest

from experiments.comparisons import (
    Cells,
    cells_table,
    cells_won,
    oracle_table,
    published_levels,
    rank_table,
    runs_table,
    spread_table,
    time_table,
)
from experiments.grid import Entry, Grid, csv_text, html_table, latex, markdown, write
from experiments.levels import Level, chosen_settings, levels_by_protocol, levels_of
from experiments.published import METHODS, METRICS, published
from experiments.results import Results
from experiments.store import Store
from experiments.tables import ablation_table, dataset_table, marks
from outcomes import keyed, outcome

# ACC of SEEDS by hand: SC (.80 + .90) / 2, and the square root of (.05^2 + .05^2) / 1; and so on.
FIXED = {
    "SC": "0.850 ± 0.071",
    "SR": "0.850 ± 0.000",
    "SSC": "0.650 ± 0.071",
    "SNMF": "0.550 ± 0.071",
    "S3NMF": "0.880 ± 0.028",
    "S3NMF, members": "0.860 ± 0.020",
    "S3NMF (text)": "0.850 ± 0.071",
    "S3NMF (text), members": "0.870 ± 0.010",
    "S3NMF (authors' starts), members": "0.881 ± 0.000",
}


def row(name, ours, mark, method):
    """A line of the Markdown table: ours is the same in all metrics here, the paper's has its own marks."""
    frames = {"best": "**{}**", "second": "<u>{}</u>", "": "{}"}
    cells = []
    for metric in METRICS:
        cell = published("SEEDS", method, metric)
        levels = sorted({published("SEEDS", other, metric).mean for other in METHODS}, reverse=True)
        theirs = {levels[0]: "best", levels[1]: "second"}.get(cell.mean, "") if name in METHODS else ""
        cells += [frames[mark].format(ours), frames[theirs].format(f"{cell.mean:.3f} ± {cell.std:.3f}")]
    return f"| {name} | {' | '.join(cells)} |"


def expected(levels, best, second):
    lines = []
    for name in (*METHODS, *(name for name in levels if name not in METHODS)):
        mark = "best" if name in best else "second" if name in second else ""
        lines.append(row(name, levels.get(name, "-"), mark, name if name in METHODS else "S3NMF"))
    return lines


def test_every_number_of_a_table_by_default_settings_is_right(by_hand):
    lines = markdown(dataset_table(levels_of(by_hand, "fixed"), "SEEDS", "fixed")).split("\n")
    assert lines[0] == "| Method | ACC | paper | NMI | paper | PUR | paper | ARI | paper | F1 | paper |"
    assert lines[2:20] == [*expected(FIXED, ["S3NMF"], ["SC", "SR"]), ""]
    # The authors' starts make one run.
    assert lines[20] == "Mean ± standard deviation over 1 to 2 runs; of members, within a run, averaged over runs."
    # Typed here, so that the paper's side is not only what the code reads.
    assert lines[14].startswith(
        "| S3NMF | **0.880 ± 0.028** | **0.881 ± 0.000** | **0.880 ± 0.028** | **0.667 ± 0.000** |"
    )
    assert lines[11].startswith("| SR | <u>0.850 ± 0.000</u> | <u>0.833 ± 0.000</u> |")
    assert lines[2].startswith("| sBSUM | - | 0.729 ± 0.162 |")


def test_of_equal_settings_the_oracle_takes_the_default(tmp_path):
    """It has more runs than the grid, which spells before it."""
    store = Store(tmp_path)
    for seed in range(3):
        store.save(outcome(keyed(seed), method="SSC", seed=seed))
    store.save(outcome(keyed(3), method="SSC", setting='{"beta": 0.1}'))
    results = Results(tmp_path)
    assert chosen_settings(results) == {("SEEDS", "SSC"): "{}"}
    assert levels_of(results, "oracle")["SEEDS", "SSC", "ACC"].n == 3


def test_every_number_of_a_table_by_the_oracle_is_right(by_hand):
    lines = markdown(dataset_table(levels_of(by_hand, "oracle"), "SEEDS", "oracle")).split("\n")
    # beta = 0.01 has a mean of .89, beta = 0.1 one of .80: the former is chosen, and is best.
    assert lines[2:20] == [*expected({**FIXED, "SSC": "0.890 ± 0.014"}, ["SSC"], ["S3NMF"]), ""]
    assert chosen_settings(by_hand)["SEEDS", "SSC"] == '{"beta": 0.01}'
    # On IRIS it had its defaults alone, and S3NMF has no grid.
    assert set(chosen_settings(by_hand)) == {("SEEDS", "SSC")}
    grid = oracle_table(chosen_settings(by_hand))
    assert markdown(grid).split("\n")[2:4] == ["| SSC | beta 0.01 |", ""]


def test_every_number_of_the_ablation_is_right(by_hand):
    lines = markdown(ablation_table(levels_of(by_hand))).split("\n")
    assert lines[0] == "| Metric | Method | IRIS | SEEDS | Average |"
    assert lines[2:10] == [
        "| ACC | SNMF | 0.650 ↘ | 0.550 ↘ | 0.600 ↘ |",
        "| ACC | SNMF, paper | 0.645 ↘ | 0.602 ↘ | 0.623 ↘ |",
        "| ACC | SOFT | 0.800 ↗ | 0.650 ↘ | 0.725 ↘ |",
        "| ACC | SOFT, paper | 0.892 ↗ | 0.653 ↘ | 0.772 ↘ |",
        "| ACC | w/o alpha | 0.700 ↘ | 0.860 ⋯ | 0.780 ↘ |",
        "| ACC | w/o alpha, paper | 0.718 ↘ | 0.812 ↘ | 0.765 ↘ |",
        "| ACC | S3NMF | 0.710 | 0.860 | 0.785 |",
        "| ACC | S3NMF, paper | 0.886 | 0.881 | 0.883 |",
    ]
    assert len(lines) == 2 + 5 * 8 + 2
    assert lines[41].startswith("| F1 | S3NMF, paper | 0.816 | 0.793 |")


def test_both_spreads_are_reported(by_hand):
    lines = markdown(spread_table(by_hand)).split("\n")
    end = "0.500 | 0.881 ± 0.000 | - | 1 |"
    assert lines[2:4] == [
        f"| SEEDS | S3NMF | 2 | 0.880 | 0.028 | 0.860 | 0.900 | 0.860 | 0.028 | 0.020 | {end}",
        f"| SEEDS | S3NMF (text) | 2 | 0.850 | 0.071 | 0.800 | 0.900 | 0.870 | 0.071 | 0.010 | {end}",
    ]


def test_cells_are_counted(by_hand):
    fixed, oracle = levels_of(by_hand, "fixed"), levels_of(by_hand, "oracle")
    # SEEDS: .88 is best of .85, .85, .65, .55; by the oracle, SSC has .89. IRIS: .71 is second to SC's .80.
    assert cells_won(fixed) == Cells(best=5, second=5, of=10)
    assert cells_won(oracle) == Cells(best=0, second=10, of=10)
    assert cells_won(fixed, "S3NMF (text)") == Cells(best=5, second=0, of=10)  # .85 as good as two others; .61 third
    assert cells_won(published_levels()) == Cells(best=44, second=3, of=50)
    assert markdown(cells_table({"fixed": fixed, "oracle": oracle})).split("\n")[2:4] == [
        "| S3NMF, the paper | - | 44 of 50, second in 3 |",
        "| S3NMF | 5 of 10, second in 5 | 0 of 10, second in 10 |",
    ]


def test_a_cell_that_a_method_lacks_is_not_counted():
    levels = {
        ("SEEDS", "S3NMF", "ACC"): Level(0.9, None, 1),
        ("SEEDS", "SC", "ACC"): Level(0.8, None, 1),
        ("IRIS", "S3NMF", "ACC"): Level(0.9, None, 1),
    }
    assert cells_won(levels) == Cells(best=1, second=0, of=1)


def test_a_method_that_the_paper_does_not_have_competes_once_it_has_runs_on_all_data_sets(by_hand):
    levels = {**levels_of(by_hand), **{("SEEDS", "Leiden", metric): Level(0.99, None, 1) for metric in METRICS}}
    assert markdown(dataset_table(levels, "SEEDS", "fixed")).split("\n")[15] == "| Leiden |" + " **0.990** | - |" * 5
    assert "Leiden" not in markdown(dataset_table(levels, "IRIS", "fixed"))
    assert cells_won(levels) == Cells(best=5, second=5, of=10)
    assert "Leiden" not in markdown(rank_table(levels, "fixed"))
    levels |= {("IRIS", "Leiden", metric): Level(0.1, None, 1) for metric in METRICS}
    assert cells_won(levels) == Cells(best=0, second=10, of=10)
    assert "| Leiden | 3.50 |" in markdown(rank_table(levels, "fixed"))  # first of six, and last


def test_ranks_are_averaged_over_data_sets(by_hand):
    lines = markdown(rank_table(levels_of(by_hand), "fixed")).split("\n")
    # SEEDS: S3NMF 1, SC and SR 2.5, SSC 4, SNMF 5. IRIS: SC .80, S3NMF .71, SSC and SNMF .65, SR .60.
    ranks = [("S3NMF", 1.5), ("SC", 1.75), ("SR", 3.75), ("SSC", 3.75), ("SNMF", 4.25)]
    assert lines[2:7] == [f"| {name} | " + " | ".join([f"{rank:.2f}"] * 5) + " |" for name, rank in ranks]


def test_time_is_the_median_with_the_shared_work(by_hand):
    lines = markdown(time_table(by_hand)).split("\n")
    assert lines[:3] == ["| Method | SEEDS | IRIS |", "| :-- | --: | --: |", "| SC | 0.25 | 0.25 |"]
    assert "| SSC | 2 | 2 |" in lines


def test_runs_are_counted_by_default_and_by_setting(by_hand):
    lines = markdown(runs_table(by_hand)).split("\n")
    assert lines[0] == "| Method | SEEDS | IRIS |"
    assert "| SC | 2 | 2 |" in lines
    assert "| SSC | 2 + 2 x 2 | 2 |" in lines
    assert "| S3NMF | 2 + 8 x 1 | 2 |" in lines
    assert "| S3NMF (authors' starts) | 1 | - |" in lines


def test_the_oracle_is_reported_only_where_there_was_a_choice(by_hand):
    assert list(levels_by_protocol(by_hand)) == ["fixed", "oracle"]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([0.1, 0.3, 0.2], ["", "best", "second"]),
        ([0.3004, 0.3, None, 0.2], ["best", "best", "", "second"]),
        ([None, None], ["", ""]),
        ([-0.1], ["best"]),
    ],
)
def test_marks_follow_the_printed_digits(values, found):
    assert marks(values) == found


GRID = Grid(
    "x-fixed",
    "On A* & B_1",
    ("Method", "ACC"),
    (
        (Entry("w/o <ä>"), Entry("0.5 ± 0.1", "best")),
        (Entry("a|b"), Entry("0.4 ↘", "second")),
        (Entry("c"), Entry("-")),
    ),
    note="50 % sure",
)


def test_markdown_is_escaped_and_marked():
    assert markdown(GRID).split("\n") == [
        "| Method | ACC |",
        "| :-- | --: |",
        "| w/o <ä> | **0.5 ± 0.1** |",
        "| a\\|b | <u>0.4 ↘</u> |",
        "| c | - |",
        "",
        "50 % sure",
    ]


def test_html_is_escaped_and_marked():
    page = html_table(GRID)
    assert "<caption>On A* &amp; B_1</caption>" in page
    assert "<tr><th>w/o &lt;ä&gt;</th><td><b>0.5 ± 0.1</b></td></tr>" in page
    assert "<tr><th>a|b</th><td><u>0.4 ↘</u></td></tr>" in page


def test_latex_is_escaped_and_marked():
    page = latex(GRID)
    assert "\\caption{On A* \\& B\\_1}" in page
    assert "\\begin{tabular}{lc}" in page
    assert "\\textbf{0.5 $\\pm$ 0.1} \\\\" in page
    assert "\\underline{0.4 $\\searrow$} \\\\" in page
    assert "50 \\% sure" in page


def test_csv_can_be_read_back():
    assert list(csv.reader(csv_text(GRID).splitlines())) == [
        ["Method", "ACC"],
        ["w/o <ä>", "0.5 ± 0.1"],
        ["a|b", "0.4 ↘"],
        ["c", "-"],
    ]


def test_all_four_forms_hold_the_same_numbers(by_hand, tmp_path):
    grid = dataset_table(levels_of(by_hand), "SEEDS", "fixed")
    write([grid, GRID], tmp_path)
    numbers = [re.findall(r"\d\.\d{3}", entry.text) for line in grid.rows for entry in line]
    numbers = [number for entry in numbers for number in entry]
    assert len(numbers) == 2 * 5 * (5 + 4) + 2 * 5 * (13 + 4)
    for name in ("tables.md", "tables.html", "tables.tex", "csv/seeds-fixed.csv"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert re.findall(r"\d\.\d{3}", text)[: len(numbers)] == numbers
    assert (tmp_path / "csv" / "x-fixed.csv").is_file()

import xml.etree.ElementTree as ET

import matplotlib.pyplot as plt
import numpy as np
import pytest

from experiments.figures import chosen_round, curves_of, draw_all, rank_diagram, references_of, rounds_of, save
from experiments.levels import levels_by_protocol, levels_of
from experiments.protocols import SIZES, TAUS
from experiments.ranks import ranking


def test_the_curves_hold_the_runs_of_one_parameter_and_the_default(by_hand):
    sizes = curves_of(by_hand, "n_members", SIZES)
    assert sizes["SEEDS"] == {1: [0.5], 2: [0.6], 20: [0.84], 50: [0.95]}  # the seed that all have
    assert "IRIS" not in sizes  # only the default was run
    taus = curves_of(by_hand, "tau", TAUS)
    assert taus["SEEDS"] == {1.2: [0.8], 1.5: [0.81], 2.0: [0.84], 5.0: [0.85], 10.0: [0.9], 20.0: [0.9]}
    assert references_of(by_hand) == pytest.approx({"SEEDS": 0.55, "IRIS": 0.65})


def test_rounds_are_marked_where_the_stop_is(by_hand):
    acc, anmi, stops = rounds_of(by_hand)["SEEDS"]
    np.testing.assert_array_equal(acc, [[0.5, 0.7, 0.8], [0.6, 0.9, 0.7]])
    np.testing.assert_array_equal(anmi, [[0.4, 0.9, 0.8], [0.5, 0.6, 1.0]])
    assert stops == [2, 3]


@pytest.mark.parametrize(
    ("agreement", "number"),
    [([0.4, 0.4, 0.3], 1), ([1.0, 0.9], 1), ([0.1, 0.2, 0.3], 3), ([0.4, 0.3, 0.9], 1), ([0.2, 1.0, 1.0], 2)],
)
def test_the_chosen_round_is_that_of_algorithm_1(agreement, number):
    assert chosen_round(agreement) == number


def test_all_figures_are_drawn_in_the_papers_grid_as_png_and_svg(by_hand, tmp_path):
    paths = draw_all(by_hand, levels_by_protocol(by_hand), tmp_path)
    names = ("rounds", "members", "tau", "ranks-fixed", "ranks-oracle")
    assert {path.name for path in paths} == {name + suffix for name in names for suffix in (".png", ".svg")}
    height, width, _ = plt.imread(tmp_path / "members.png").shape
    assert width > 1200 > height > 400
    assert not plt.get_fignums()
    text = "".join(ET.parse(tmp_path / "members.svg").getroot().itertext())
    assert "SEEDS" in text
    assert "SNMF" in text
    assert "S3NMF  1.50" in "".join(ET.parse(tmp_path / "ranks-fixed.svg").getroot().itertext())


def test_the_same_numbers_give_the_same_files(by_hand, tmp_path):
    found = ranking(levels_of(by_hand))
    first, second = (save(rank_diagram(found, "fixed"), tmp_path / name / "ranks") for name in ("a", "b"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_lines_differ_by_more_than_colour(by_hand, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr("experiments.figures.save", lambda figure, stem: drawn.append((stem.name, figure)) or [])
    draw_all(by_hand, {}, tmp_path)
    assert [name for name, _ in drawn] == ["rounds", "members", "tau"]
    for name, figure in drawn:
        styles = [
            (line.get_linestyle(), line.get_marker())
            for axis in figure.axes
            if axis.get_subplotspec().get_position(figure).x0 < 0.2
            for line in axis.lines
            if line.get_linestyle() != "None" and len(line.get_xdata())
        ]
        solid = {style for style, _ in styles}
        assert {"-", "--"} <= solid, name
        plt.close(figure)

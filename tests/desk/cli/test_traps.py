import numpy as np


def test_the_command_line_says_in_its_own_words_what_may_be_a_mistake(run, directory):
    random = np.random.default_rng(0)
    rows = np.column_stack([random.normal(size=(60, 2)), random.integers(2, size=60)])
    np.savetxt(directory / "t.csv", rows, delimiter=",", header="a,b,label", comments="")
    said = run("cluster", "t.csv", "-k", 2, "--out", "l.csv").stdout
    assert "- Column 'label' looks like the answer" in said
    assert "say --drop label." in said

"""Labels are written so that a spreadsheet shows names and does not run them."""

import csv
import json

import numpy as np
import pytest

from s3nmf.desk.cli.labels import Labels
from s3nmf.desk.sources.spreadsheet import as_text

FORMULAS = ["=1+1", "+cmd|' /C calc'!A1", "-2+3", "@eve", "\tx", "=", "-a"]
PLAIN = ["-5", "+1.5e3", "-1,5", "-", "a=b", "", "é@x", "7%"]


def labels_of(names, id_name="who"):
    zeros = np.zeros(len(names), int)
    return Labels(id_name, names, zeros, np.full(len(names), -0.5), zeros - 1)


def written(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="," if path.suffix == ".csv" else "\t"))


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_what_looks_like_a_formula_is_written_as_text(directory, ending):
    labels_of(FORMULAS[:5] + FORMULAS[6:] + PLAIN, "=who").write(directory / f"labels.{ending}")
    header, *rows = written(directory / f"labels.{ending}")
    assert header[0] == "'=who"
    assert [row[0] for row in rows] == [f"'{name}" for name in FORMULAS[:5] + FORMULAS[6:]] + PLAIN


def test_numbers_stay_numbers(directory):
    labels_of(["a"]).write(directory / "labels.csv")
    assert written(directory / "labels.csv")[1] == ["a", "0", "-0.5", ""]


def test_programs_get_names_as_they_are(directory, capfdbinary):
    labels_of(FORMULAS).write(directory / "labels.json")
    assert [row["who"] for row in json.loads((directory / "labels.json").read_text(encoding="utf-8"))] == FORMULAS
    labels_of(["=1+1"]).write("-")
    assert capfdbinary.readouterr().out == b"who,cluster,confidence,second_cluster\n=1+1,0,-0.5,\n"


def test_the_command_writes_them_so(run, directory):
    rows = "".join(f"@n{k},{k % 2 * 9}.{k}\n" for k in range(9))
    (directory / "t.csv").write_text("who,a\n" + rows, encoding="utf-8")
    assert run("cluster", "t.csv", "-k", 2, "--id", "who", "--out", "labels.csv").exit_code == 0
    assert written(directory / "labels.csv")[4][0] == "'@n3"


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20", "\t=", "\r=", "\n=",
                                  " =", "\u00a0=", "\ufeff=", "\u202e=", "\u2060@"])  # fmt: skip
def test_no_sign_that_begins_a_formula_begins_a_cell(sign):
    assert as_text(f"{sign}cmd|' /C calc'!A0") == f"'{sign}cmd|' /C calc'!A0"


def test_no_terminal_is_told_anything_by_a_label(run, directory):
    rows = "".join(f"\x1b]0;owned\x07{k}\x9b2J,{k % 2 * 9},{k}\n" for k in range(20))
    (directory / "t.csv").write_text("\x1b[31mname,b,c\n" + rows, encoding="utf-8")
    options = ("-k", 2, "--id", "\x1b[31mname", "--out")
    assert run("cluster", "t.csv", *options, "l.csv").exit_code == 0
    assert run("compare", "t.csv", "--method", "KMeans", *options, "c.csv").exit_code == 0
    for name in ("l.csv", "c.csv"):
        text = (directory / name).read_text(encoding="utf-8")
        assert text.startswith("\\x1b[31mname,")
        assert "\\x1b]0;owned\\x070\\x9b2J," in text
        assert not set(text) & set("\x1b\x07\x9b")

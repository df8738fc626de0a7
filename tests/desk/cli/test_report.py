import json
import re
import sys

import numpy as np
import pytest

FLOWERS = ("--id", "flower", "--drop", "kind")


def test_a_page_is_written_of_a_file_with_values_in_its_units(run, flowers, directory):
    result = run("report", flowers, "-k", 3, *FLOWERS)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Found 3 clusters in 150 rows")
    assert result.stdout.endswith("Wrote the report to report.html.\n")
    page = (directory / "report.html").read_text(encoding="utf-8")
    assert "petal_length" in page
    assert "1.46" in page  # cm: the mean of setosa's petals
    assert "f149" in page
    assert "Left out &#39;kind&#39;, as asked." in page or "Left out 'kind', as asked." in page


def test_the_page_of_a_model_is_that_of_its_file(run, flowers, directory):
    result = run("cluster", flowers, "-k", 3, *FLOWERS, "--report", "one.html", "--model", "m.s3nmf", "--out", "l.csv")
    assert result.exit_code == 0, result.output
    assert "Wrote the report to one.html." in result.stdout
    assert run("report", "m.s3nmf", "-o", "two.html", "--quiet").output == ""
    changing = r'\d\d:\d\d|<pre class="command".*</pre>'
    one, two = (re.sub(changing, "", (directory / name).read_text()) for name in ("one.html", "two.html"))
    assert one == two


def test_nothing_that_a_cell_holds_is_markup(run, directory):
    evil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    rows = "".join(f'"{evil}{k}",{k % 2 * 3 + k % 7},{k % 5}\n' for k in range(40))
    (directory / "t.csv").write_text(f'name,a,"<b>{evil}"\n{rows}', encoding="utf-8")
    assert run("report", "t.csv", "-k", 2, "--id", "name").exit_code == 0
    page = (directory / "report.html").read_text(encoding="utf-8")
    assert evil not in page
    assert "<script>alert" not in page
    assert "<img" not in page


def test_without_a_number_of_clusters_a_file_has_those_that_are_found(run, blobs):
    assert run("report", blobs).stdout.startswith("Best: 2 clusters. Fewer edges cross every border")


def test_programs_are_told_where_the_page_is(run, rings):
    found = json.loads(run("report", rings, "-k", 2, "--out", "p.html", "--json").stdout)
    assert found["files"] == {"report": "p.html"}
    assert found["n_points"] == 20


def test_a_damaged_model_is_explained(run, directory):
    (directory / "m.s3nmf").write_bytes(b"nothing")
    result = run("report", "m.s3nmf")
    assert result.exit_code == 1
    assert "Error: m.s3nmf cannot be read as a model." in result.stderr


@pytest.mark.parametrize("arguments", [("report", "-k", 2), ("cluster", "-k", 2, "--report", "p.html")])
def test_without_its_extra_a_page_is_refused_before_any_work(run, directory, monkeypatch, arguments):
    monkeypatch.setitem(sys.modules, "jinja2", None)
    (directory / "empty.csv").touch()  # which could not be read
    result = run(arguments[0], "empty.csv", *arguments[1:])
    assert result.exit_code == 1
    assert re.fullmatch(r"Error: .* jinja2\. Install it with pip install 's3nmf\[report\]'\.\n", result.stderr)


def test_an_interrupted_page_leaves_nothing_behind(run, rings, directory, monkeypatch):
    def interrupt(descriptor):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    assert run("report", rings, "-k", 2).exit_code == 130
    assert [path.name for path in directory.iterdir()] == ["rings.edges"]


def test_kept_columns_are_on_the_page_and_in_the_model(run, flowers, directory):
    result = run(
        "cluster", flowers, "-k", 3, "--id", "flower", "--keep", "kind", "--report", "one.html", "--model", "m"
    )
    assert result.exit_code == 0, result.output
    assert run("report", "m", "-o", "two.html").exit_code == 0
    for name in ("one.html", "two.html"):
        page = (directory / name).read_text(encoding="utf-8")
        assert '<option value="0">kind</option>' in page
        assert page.count("versicolor") >= 2  # in the table of both, and as colours of the map
    result = run("report", "m", "--keep", "kind")
    assert result.exit_code == 2
    assert "m is a model, which has the columns that cluster --keep named already." in " ".join(result.stderr.split())


def test_the_page_has_the_command_that_made_it(run, flowers, directory):
    arguments = ("report", flowers.name, "-k", "3", *FLOWERS, "--out", "a page.html")
    assert run(*arguments).exit_code == 0
    page = (directory / "a page.html").read_text(encoding="utf-8")
    assert "report flowers.csv -k 3 --id flower --drop kind --out &#39;a page.html&#39;</code>" in page


def test_nodes_are_nodes(run, rings, directory):
    assert run("report", rings, "-k", 2).exit_code == 0
    page = (directory / "report.html").read_text(encoding="utf-8")
    assert "20 nodes, clustered by S3NMF" in page
    assert '"thing":"node"' in page


def test_rows_that_are_images_are_shown_as_images(run, directory):
    pixels = np.random.default_rng(0).integers(0, 9, (30, 6)) + np.repeat([[0], [9]], 15, axis=0)
    pixels[:, 0] = 0
    np.save(directory / "t.npy", pixels.astype(float))
    result = run("cluster", "t.npy", "-k", 2, "--image", "2x3", "--report", "p.html", "--model", "m", "-o", "l.csv")
    assert result.exit_code == 0, result.output
    assert "Left 6 columns unscaled." in result.stdout
    assert "counts the rows" not in result.stdout  # a pixel that never changes
    page = (directory / "p.html").read_text(encoding="utf-8")
    assert 'id="mean-1" src="data:image/png;base64,' in page
    assert run("report", "m", "--image", "2x3").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("blobs.csv", "--image", "3x3"),
            "has 2 columns of features, and images of 3 x 3 pixels have 9. Correct --image",
        ),
        (("rings.edges", "--image", "3x3"), "is a graph, whose nodes are no images. Leave out --image."),
        (("blobs.csv", "--image", "28"), "'28' is no size of an image. Write height x width, as 28x28."),
        (("blobs.csv", "--image", "0x3"), "'0x3' is no size of an image."),
    ],
)
def test_what_is_no_image_is_refused(run, blobs, rings, arguments, message):
    result = run("report", *arguments, "-k", 2)
    assert result.exit_code in {1, 2}
    assert message in " ".join(result.stderr.split())


def test_a_number_of_clusters_that_was_chosen_is_explained_where_it_was_chosen(run, blobs, directory):
    assert run("report", blobs, "-k", "auto").exit_code == 0
    page = (directory / "report.html").read_text(encoding="utf-8")
    assert 'id="choice-title">The number of clusters</h2>' in page
    assert "n_clusters=" not in page
    assert run("report", blobs, "-k", "2").exit_code == 0
    assert "choice-title" not in (directory / "report.html").read_text(encoding="utf-8")

"""What each extra adds, used once (`python packaging/extras.py has plots`), or missed with a reason (`lacks plots`).

Runs in environments that hold one extra, or none, so it imports nothing else at its top.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

NODES = '<node id="a"/><node id="b"/><edge source="a" target="b"/>'
GRAPHML = f'<graphml><graph edgedefault="undirected">{NODES}</graph></graphml>'


def fitted():
    import numpy as np

    from s3nmf import S3NMF

    points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [9, 9]], 30, axis=0)
    return S3NMF(2, random_state=0, n_neighbors=30).fit(points)


def cli(_):
    from s3nmf.desk.cli.main import main

    sys.argv = ["s3nmf", "--version"]
    main()


def plots(_):
    from s3nmf.plots import EmbeddingDisplay

    EmbeddingDisplay.from_estimator(fitted())


def report(directory):
    from s3nmf.report import write_report

    write_report(fitted(), directory / "report.html")


def tables(directory):
    from s3nmf.sources import read, write_labels

    write_labels(directory / "table.parquet", {"x": [1.0, 2.0, 4.0], "y": [0.0, 3.0, 1.0]})
    read(directory / "table.parquet")


def graphs(directory):
    from s3nmf.sources import read

    (directory / "graph.graphml").write_text(GRAPHML, encoding="utf-8")
    read(directory / "graph.graphml")


def single_cell(directory):
    from s3nmf.sources import read

    file = directory / "cells.h5ad"
    try:
        import anndata
    except ImportError:
        file.touch()
    else:
        anndata.AnnData(fitted().X_fit_).write_h5ad(file)
    read(file)


def excel(directory):
    from s3nmf.sources import read

    file = directory / "table.xlsx"
    try:
        import openpyxl
    except ImportError:
        file.write_bytes(b"PK\x03\x04")
    else:
        workbook = openpyxl.Workbook()
        for row in (("x", "y"), (1, 0), (2, 3), (4, 1)):
            workbook.active.append(row)
        workbook.save(file)
    read(file)


def app(directory):
    from s3nmf.desk.app.running import LocalPage

    (directory / "table.csv").write_text("x,y\n1,0\n2,3\n4,1\n", encoding="utf-8")
    LocalPage(str(directory / "table.csv"))


def leiden(_):
    from s3nmf import compare_methods

    compared = compare_methods(fitted().X_fit_, 2, methods=["k-means", "Leiden"], random_state=0)
    if compared.notes:
        raise ImportError(" ".join(map(str, compared.notes)))


def distributed(directory):
    from s3nmf.distributed import cluster_parts

    for part in range(2):
        rows = "\n".join(f"{x},{y}" for x, y in fitted().X_fit_.tolist())
        (directory / f"part-{part}.csv").write_text(f"x,y\n{rows}\n", encoding="utf-8")
    cluster_parts(str(directory / "part-*.csv"), 2, directory / "labels")


USES = {
    one.__name__.replace("_", "-"): one
    for one in (app, cli, distributed, excel, graphs, leiden, plots, report, single_cell, tables)
}


def main():
    asked, extra = sys.argv[1:]
    try:
        with TemporaryDirectory() as directory:
            USES[extra](Path(directory))
    except SystemExit as end:
        said = str(end.code or "")
    except ImportError as error:
        said = str(error)
    else:
        said = ""
    if (f"s3nmf[{extra}]" in said) != (asked == "lacks") or (asked == "has" and said):
        sys.exit(f"{asked} {extra}: {said or 'it worked'}")


if __name__ == "__main__":
    main()

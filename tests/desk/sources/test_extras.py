import ast
import subprocess
import sys


def test_libraries_are_imported_only_where_they_are_needed(tmp_path):
    """Beside scikit-learn, which loads pandas where it finds it."""
    (tmp_path / "g.edges").write_text("a b\nb c\n")
    (tmp_path / "t.csv").write_text("a,b\n1,2\n2,4\n")
    code = (
        "import sys, sklearn.cluster, sklearn.metrics, sklearn.neighbors; before = set(sys.modules)\n"
        "from s3nmf.sources import read, write_labels; import s3nmf.single_cell\n"
        f"for name in ('g.edges', 't.csv'): read({str(tmp_path)!r} + '/' + name)\n"
        f"write_labels({str(tmp_path)!r} + '/l.csv', {{'a': [1]}})\n"
        "print({name.split('.')[0] for name in set(sys.modules) - before})"
    )
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    extras = {"pandas", "polars", "pyarrow", "networkx", "igraph", "anndata", "h5py", "numba", "openpyxl"}
    assert not extras & set(ast.literal_eval(printed))

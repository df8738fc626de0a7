"""Small, valid files in every format that can be read, and what damage does to files."""

import gzip
import io
import json
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

import networkx as nx
import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.io
import scipy.sparse as sp
from pyarrow import feather

NAMES = ["007", "Ann, Eve", 'the "boss"', "née", "🦊", "two\nlines", "-", "1e5", " x ", "NA", "a;b", "#1"]
TOKENS = [
    *(
        b'"',
        b"'",
        b",",
        b";",
        b"\t",
        b" ",
        b"\n",
        b"\r",
        b"\r\n",
        b"\0",
        b"\xff",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\xe9",
    ),
    *(b"", b"nan", b"inf", b"-1", b"1e999", b"0", b"1_0", b"99999999999999999999", b"4294967295", b"1,5", b"%", b"#"),
    *(
        b"<!DOCTYPE a>",
        b"<!ENTITY x 'y'>",
        b"&x;",
        b"<",
        b">",
        b"[",
        b"]",
        b"PK",
        b"\x93NUMPY",
        b"symmetric",
        b"complex",
    ),
    *(b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\x00\x00\x00\x00", b"\x80", b"{}", b"weight", b"graph [", b"node ["),
]


def table():
    rng = np.random.default_rng(0)
    return rng.normal(size=(len(NAMES), 3)).round(3)


def weights():
    ring = np.arange(len(NAMES))
    W = sp.coo_array((np.linspace(0.5, 2, len(ring)), (ring, np.roll(ring, 1))), shape=(len(ring), len(ring)))
    return sp.csr_array(W + W.T)


def network():
    W = weights().tocoo()
    graph = nx.Graph()
    graph.add_nodes_from(f"n{k}" for k in range(W.shape[0]))
    graph.add_weighted_edges_from((f"n{i}", f"n{j}", float(w)) for i, j, w in zip(*W.coords, W.data, strict=True))
    return graph


NAMED = {
    *("text.csv", "packed.csv.gz", "frame.parquet", "frame.feather"),
    *("book.xlsx", "rows.json", "columns.json", "lines.jsonl"),
}
"""Those with a column of names."""


def valid_files():
    """A file in each format, by its name."""
    X, W, graph = table(), weights(), network()
    text = "name,a,b,c\n" + "".join(
        f'"{name.replace(chr(34), 2 * chr(34))}",{x},{y},{z}\n' for name, (x, y, z) in zip(NAMES, X, strict=True)
    )
    numbers = "".join("\t".join(map(str, row)) + "\n" for row in X.tolist())
    edges = "".join(f"{a},{b},{d['weight']}\n" for a, b, d in graph.edges(data=True))
    return {
        "text.csv": text.encode(),
        "numbers.tsv": numbers.encode(),
        "packed.csv.gz": gzip.compress(text.encode(), mtime=0),
        "edges.edges": edges.encode(),
        "blanks.edges": ("# a comment\n" + edges.replace(",", " ")).encode(),
        "matrix.mtx": _written(lambda stream: scipy.io.mmwrite(stream, W, symmetry="symmetric")),
        "array.npy": _written(lambda stream: np.save(stream, X)),
        "arrays.npz": _written(lambda stream: np.savez(stream, X=X, y=np.arange(len(X)))),
        "packed.npz": _written(lambda stream: np.savez_compressed(stream, X=X)),
        "sparse.npz": _written(lambda stream: sp.save_npz(stream, W, compressed=False)),
        "coordinates.npz": _written(lambda stream: sp.save_npz(stream, W.tocoo(), compressed=False)),
        "frame.parquet": _written(lambda stream: pq.write_table(_arrow(X), stream, compression="none")),
        "frame.feather": _written(lambda stream: feather.write_feather(_arrow(X), stream, compression="uncompressed")),
        "book.xlsx": _written(lambda stream: _workbook([["name", "a", "b", "c"], *_rows(X)]).save(stream)),
        "rows.json": json.dumps([dict(zip(["name", *"abc"], row, strict=True)) for row in _rows(X)]).encode(),
        "columns.json": json.dumps(_arrow(X).to_pydict()).encode(),
        "lines.jsonl": "".join(
            json.dumps(dict(zip(["name", *"abc"], row, strict=True))) + "\n" for row in _rows(X)
        ).encode(),
        "graph.graphml": _written(lambda stream: nx.write_graphml_xml(graph, stream)),
        "graph.gml": _written(lambda stream: nx.write_gml(graph, stream)),
        "cells.h5ad": h5ad(),
        "features.h5ad": h5ad(with_graph=False),
    }


def anndata_of(X, W=None, names=None):
    """An AnnData as scanpy leaves it after `pp.neighbors`."""
    import anndata  # noqa: PLC0415

    adata = anndata.AnnData(np.asarray(X))
    adata.obs_names = names or [f"cell {k}" for k in range(adata.n_obs)]
    adata.obsm["X_pca"] = np.asarray(X)[:, :2].copy()
    if W is not None:
        adata.obsp["connectivities"] = sp.csr_matrix(W)
        adata.uns["neighbors"] = {"connectivities_key": "connectivities", "params": {"n_neighbors": 2}}
    return adata


def h5ad(with_graph=True):
    with TemporaryDirectory() as directory:
        path = Path(directory) / "cells.h5ad"
        anndata_of(table(), weights() if with_graph else None).write_h5ad(path)
        return path.read_bytes()


def damaged(data, rng):
    """The same file after a few accidents; those inside of an archive have a right checksum half of the time."""
    if data.startswith(b"\x1f\x8b") and rng.random() < 0.5:
        return gzip.compress(_damaged(gzip.decompress(data), rng), mtime=0)
    if data.startswith(b"PK") and rng.random() < 0.5:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        victim = list(members)[int(rng.integers(0, len(members)))]
        members[victim] = _damaged(members[victim], rng)
        return _written(lambda stream: _archive(stream, members))
    return _damaged(data, rng)


def _archive(stream, members):
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def _damaged(data, rng):
    """Flipped, lost, doubled, swapped, replaced by something special, cut off."""
    data = bytearray(data)
    for _ in range(rng.integers(1, 5)):
        at = int(rng.integers(0, len(data) + 1))
        length = int(rng.integers(1, 20))
        match rng.integers(0, 8):
            case 0 if data:
                data[at % len(data)] ^= 1 << int(rng.integers(0, 8))
            case 1 if data:
                data[at % len(data)] = int(rng.integers(0, 256))
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length] * int(rng.integers(1, 4))
            case 4 | 5:
                token = TOKENS[int(rng.integers(0, len(TOKENS)))]
                data[at : at + int(rng.integers(0, 2)) * len(token)] = token
            case 6 if rng.random() < 0.3:
                del data[at:]
            case 7:
                other = int(rng.integers(0, len(data) + 1))
                data[at : at + length] = data[other : other + length]
    return bytes(data)


def _rows(X):
    return [[name, *row] for name, row in zip(NAMES, X.tolist(), strict=True)]


def _workbook(rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    return book


def _arrow(X):
    return pa.table({"name": NAMES, **dict(zip("abc", X.T, strict=True))})


def _written(write):
    stream = io.BytesIO()
    write(stream)
    return stream.getvalue()

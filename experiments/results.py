"""The runs of a store, or of the one file that they were put into, as a table to be asked by SQL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb

from experiments.outcome import Outcome
from experiments.store import Store, parquet
from s3nmf._files import written_whole

# Of a data set or a method that has changed since, only the runs of the newest kind count.
_CURRENT = """
create table runs as
with saved as (select distinct on (key) * from read_parquet($1, union_by_name = true) order by key, finished)
select * from saved
qualify data_hash = arg_max(data_hash, finished) over (partition by dataset)
    and parameters = arg_max(parameters, finished) over (partition by dataset, data_hash, method, setting)
order by dataset, method, setting, seed
"""


class Results:
    """The table `runs`, one row an `Outcome`.

    Parameters
    ----------
    path : path
        The directory of a `Store`, or a file that `save` wrote.
    """

    def __init__(self, path: str | Path) -> None:
        path = Path(path)
        files = [path] if path.is_file() else Store(path).files()
        if not files:
            raise FileNotFoundError(f"There are no runs in {path}. `python -m experiments run` makes them.")
        self._connection = duckdb.connect()
        self._connection.execute(_CURRENT, [[str(file) for file in files]])
        # Where all runs are from before it was recorded.
        self._connection.execute("alter table runs add column if not exists code varchar")

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """The answer to a query."""
        return list(self._connection.execute(query, list(parameters)).fetchall())

    def outcomes(self) -> list[Outcome]:
        """All runs, by data set, method, setting and seed."""
        names = ", ".join(Outcome.__dataclass_fields__)
        return [Outcome(*row) for row in self.rows(f"select {names} from runs")]

    def save(self, path: Path) -> None:
        """Write all runs into one small file."""
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(path) as file:
            file.write(parquet(self.outcomes(), compact=True))

"""Small files, and pages of them that are answered in another thread."""

import csv
import http.client
import json
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from sklearn.datasets import make_blobs

pytest.importorskip("uvicorn", reason="needs uvicorn: pip install 's3nmf[app]'")

from s3nmf.desk.app.running import LocalPage

NAMES = ("length", "width", "height")


@pytest.fixture(scope="session")
def plants(tmp_path_factory):
    """90 plants in three groups, with names, a column of text, and one missing value."""
    path = tmp_path_factory.mktemp("plants") / "plants.csv"
    values, _ = make_blobs(90, n_features=3, centers=3, cluster_std=1.2, random_state=3)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["plant", *NAMES, "color"])
        for row, measured in enumerate(values.round(3).tolist()):
            table.writerow([f"plant-{row}", *(measured if row else ["", *measured[1:]]), "red" if row % 2 else "blue"])
    return path


@contextmanager
def running(path):
    """The page of a file, until the block ends or it is stopped before."""
    page = LocalPage(str(path))
    thread = threading.Thread(target=page.run)
    thread.start()
    page.wait = thread.join
    try:
        yield page
    finally:
        page.stop()
        thread.join()


@pytest.fixture(scope="module")
def page(plants):
    with running(plants) as page:
        yield page


class Client:
    """A browser's part of the conversation, or that of somebody who only pretends to be one."""

    def __init__(self, address):
        parts = urlsplit(address)
        self.port, self.token = parts.port, parts.query.removeprefix("token=")
        self.host = f"127.0.0.1:{parts.port}"
        self.headers = {"Host": self.host, "Cookie": f"s3nmf-{parts.port}={self.token}"}

    def ask(self, path, body=None, **headers):
        """The status, the headers and the text of an answer; a header that is None is not sent."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        method = "GET" if body is None else "POST"
        sent = {**self.headers, **({} if body is None else {"Origin": f"http://{self.host}"}), **headers}
        sent = {name: value for name, value in sent.items() if value is not None}
        connection.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body), sent)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, answer.headers, text


@pytest.fixture
def client(page):
    return Client(page.address)

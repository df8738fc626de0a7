import pytest

from s3nmf.desk.sources.conversions import _WAY_OF
from s3nmf.sources import FORMATS, SourceError, read


@pytest.mark.parametrize("ending", _WAY_OF)
def test_what_cannot_be_read_is_told_with_the_way_to_convert_it(tmp_path, ending):
    path = tmp_path / f"it's{ending}"
    with pytest.raises(SourceError) as error:
        read(path)
    assert str(error.value).startswith(f"{path} is ")
    assert "{" not in str(error.value)


def test_what_is_read_need_not_be_converted():
    assert not _WAY_OF.keys() & {ending for known in FORMATS.values() for ending in known.endings}

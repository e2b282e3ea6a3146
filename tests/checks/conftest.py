from pathlib import Path

import pytest
from planting import make_repository


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path)

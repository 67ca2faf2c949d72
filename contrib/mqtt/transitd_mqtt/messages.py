"""Messages of the program, and its exit statuses."""

from __future__ import annotations

import sys
from typing import NoReturn

OK, USAGE, UNAVAILABLE, TEMPORARY, NO_PERMISSION, CONFIGURATION = 0, 64, 69, 75, 77, 78


def log(message: str) -> None:
    print(f"transitd-mqtt: {message}", file=sys.stderr, flush=True)


def end(status: int, message: str) -> NoReturn:
    log(message)
    sys.exit(status)

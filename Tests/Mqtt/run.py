"""Runs the tests of transitd-mqtt, or those that the arguments name, and prints their number."""

from __future__ import annotations

import os
import sys
import unittest


def main(names: list[str]) -> int:
    folder = os.path.dirname(os.path.abspath(__file__))
    loader = unittest.TestLoader()
    tests = loader.loadTestsFromNames(names) if names else loader.discover(folder)
    result = unittest.TextTestRunner(verbosity=2).run(tests)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    passed = result.testsRun - failed - len(result.skipped)
    print(f"mqtt: {passed} passed, {failed} failed", flush=True)
    return 0 if passed > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""User interrupts from hart to hart: programs in user mode on two harts of the model."""

from __future__ import annotations

import pytest

from trapeze.common.errors import TrapezeError
from trapeze.dev import directed
from trapeze.platform import configurations

TESTS = directed.collect(directed.FOLDER / "uintr")
NO_WAITS = (0, 0, 0)


@pytest.mark.parametrize("test", TESTS, ids=lambda one: one.path.stem)
def test_directed_on_the_model(test: directed.Directed) -> None:
    assert directed.run_rtl(test, configurations.load("duo-user"), NO_WAITS, engine="model") is None


def test_there_are_tests() -> None:
    assert len(TESTS) >= 2


def test_there_is_no_rtl() -> None:
    config = configurations.load("duo-user")
    assert not config.has_rtl
    assert all(hart.parameters()["UserPost"] == 1 for hart in config.harts)
    with pytest.raises(TrapezeError, match="configuration duo-user has no RTL, only the model runs it"):
        config.design()

# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Linux on a platform of the user's own: three real-time harts beside it, each with a program, banks and a UART."""

from __future__ import annotations

import re
from pathlib import Path

from trapeze.commandline import cli
from trapeze.common import paths
from trapeze.linux import image
from trapeze.platform import user_configurations
from trapeze.simulation import simulator
from trapeze.simulation.options import Options

PLATFORM = paths.LAB / "tests" / "platform" / "three_real_time_harts.yaml"
HARTS = (1, 2, 3)
LAPS = """
#include <stdio.h>
int main(void)
{
	for (int lap = 0;; lap++) {
		printf("lap %d\\n", lap);
		for (volatile int n = 0; n < 100000; n++) {
		}
	}
}
"""


def test_three_real_time_harts_beside_linux(tmp_path: Path) -> None:
    """Linux boots and ends the run; each of the others runs on from before its first message to after its last."""
    config = user_configurations.choose(str(PLATFORM))
    source = tmp_path / "laps.c"
    source.write_text(LAPS)
    beside = [tmp_path / f"hart{hart}.elf" for hart in HARTS]
    for hart, elf in zip(HARTS, beside, strict=True):
        assert cli.dispatch(["cc", "--config", str(PLATFORM), "--hart", str(hart), str(source), "-o", str(elf)]) == 0
    elf = image.build(config, "echo all is well\npoweroff", jobs=False)
    options = Options(max_cycles=2_000_000_000, engine="model", turn=1000, others=tuple(beside), last_hart=0)
    run = simulator.watch(elf, config, options)
    assert run.exit_code == 0
    console = run.console.decode().replace("\r", "").splitlines()
    assert "all is well" in console
    for hart in HARTS:
        laps = [int(one[1]) for line in console if (one := re.fullmatch(rf"\[hart {hart}\] lap (\d+)", line))]
        assert laps == list(range(len(laps)))
        assert len(laps) > 20

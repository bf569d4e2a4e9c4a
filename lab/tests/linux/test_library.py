# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The C library of jobs, compiled for this machine: what it does without a driver."""

from __future__ import annotations

import subprocess
from pathlib import Path

from trapeze.common import paths

SIZES = """\
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include <trapeze_jobs.h>

int main(void)
{
	static const size_t sizes[] = {0, 1, 4096, 4097, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX / 2 + 2, SIZE_MAX};

	(void)alarm(5);
	for (unsigned int i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct trapeze_job job = {0};

		errno = 0;
		(void)trapeze_buffer(-1, sizes[i]);
		printf("%zx %d ", trapeze_buffer_bytes(sizes[i]), errno == ENOMEM);
		(void)trapeze_job_pass(&job, NULL, sizes[i], 0);
		printf("%llx\\n", (unsigned long long)job.regions[0].bytes);
	}
	return 0;
}
"""


def test_sizes_that_no_memory_has(tmp_path: Path) -> None:
    """Such as a product that has overflowed: an error at once, and a region that is not empty."""
    source, program = tmp_path / "sizes.c", tmp_path / "sizes"
    source.write_text(SIZES)
    folders = (paths.ROOT / "linux" / "lib", paths.ROOT / "linux" / "driver", paths.ROOT / "regs" / "jobs")
    words = ["gcc", "-std=gnu17", "-Wall", "-Werror", *(f"-I{folder}" for folder in folders), str(source)]
    subprocess.run([*words, str(paths.ROOT / "linux" / "lib" / "trapeze_jobs.c"), "-o", str(program)], check=True)
    said = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    half = 1 << 63
    assert [line.split() for line in said] == [
        ["1000", "0", "0"],
        ["1000", "0", "40"],
        ["1000", "0", "1000"],
        ["2000", "0", "1040"],
        [f"{half:x}", said[4].split()[1], f"{half:x}"],
        [f"{half:x}", said[5].split()[1], f"{half:x}"],
        ["0", "1", f"{half + 64:x}"],
        ["0", "1", f"{(1 << 64) - 64:x}"],
    ]

# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The resolver of CAPI2 files."""

from __future__ import annotations

from pathlib import Path

import pytest

from trapeze.common.errors import TrapezeError
from trapeze.platform import configurations as config
from trapeze.platform import cores

A = """CAPI=2:
name: t:l:a:1.0
filesets:
  rtl:
    files: [a_pkg.sv, a.sv]
    file_type: systemVerilogSource
    depend: [t:l:b, ">=t:l:c:0.1"]
  extra:
    files: [a.vlt: {file_type: vlt}, a.svh: {is_include_file: true, file_type: systemVerilogSource}]
targets:
  default: {filesets: [rtl, "tool_verilator ? (extra)"], toplevel: a}
"""
B = """CAPI=2:
name: t:l:b:1.0
filesets:
  rtl: {files: [b.sv, "!tool_verilator ? (b_other.sv)"], file_type: systemVerilogSource, depend: [t:l:c]}
targets:
  default: {filesets: [rtl], toplevel: b}
"""
C = """CAPI=2:
name: t:l:c:1.0
filesets:
  rtl: {files: [c.sv], file_type: systemVerilogSource}
targets:
  default: {filesets: [rtl]}
"""


def library(folder: Path, a: str = A, b: str = B, c: str = C) -> cores.Library:
    """Three cores, a on b and c, b on c, with their files."""
    for name, text in {"a": a, "b": b, "c": c}.items():
        (folder / f"{name}.core").write_text(text)
    for name in ("a_pkg.sv", "a.sv", "a.vlt", "a.svh", "b.sv", "b_other.sv", "c.sv"):
        (folder / name).touch()
    return cores.Library([folder])


def test_order_and_flags(tmp_path: Path) -> None:
    files = library(tmp_path).resolve("t:l:a:1.0", flags=["tool_verilator"])
    names = [path.name for path in files.of_type("systemVerilogSource", "vlt")]
    assert names == ["c.sv", "b.sv", "a_pkg.sv", "a.sv", "a.vlt"]
    assert files.toplevel == "a"
    assert files.include_folders() == [tmp_path]


def test_without_flag(tmp_path: Path) -> None:
    names = [source.path.name for source in library(tmp_path).resolve("t:l:a").sources]
    assert names == ["c.sv", "b.sv", "b_other.sv", "a_pkg.sv", "a.sv"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"c": C.replace("depend", "dep").replace("{files", "{fils")}, "unknown key 'fils'"),
        ({"c": C.replace("file_type: systemVerilogSource", "depend: [t:l:a]")}, "depend on each other: t:l:a -> t:l:b"),
        ({"b": B.replace("[t:l:c]", "[t:l:cc]")}, "b.core: unknown core 't:l:cc'; did you mean 't:l:c'"),
        ({"c": C.replace("c.sv", "d.sv")}, "c.core: lists d.sv, which does not exist"),
        ({"c": C.replace("[rtl]", "[rt]")}, "unknown fileset 'rt'"),
        ({"c": C.replace("CAPI=2:", "CAPI=1:")}, "not a CAPI2 core"),
        ({"c": C.replace("t:l:c:1.0", "t:l:b:2.0")}, "t:l:b is already defined"),
        ({"c": C.replace("t:l:c:1.0", "c")}, "vendor:library:name:version"),
        ({"b": B.replace("!tool_verilator ? (b_other.sv)", "what? b_other.sv")}, "is not a condition"),
        ({"c": C.replace("default:", "other:")}, "unknown target 'default'"),
    ],
)
def test_wrong_cores(tmp_path: Path, change: dict[str, str], says: str) -> None:
    with pytest.raises(TrapezeError, match=says):
        library(tmp_path, **change).resolve("t:l:a")


@pytest.mark.parametrize("name", config.names())
def test_own_platforms(name: str) -> None:
    files = cores.Library().resolve(config.load(name).design(), "sim", ["tool_verilator"])
    names = [path.stem for path in files.of_type("systemVerilogSource")]
    assert files.toplevel == "trapeze_sim_top"
    assert names[-1] == "trapeze_sim_top"
    assert names.index("obi_pkg") < names.index("trapeze_core") < names.index("trapeze_soc")
    assert len(names) == len(set(names))

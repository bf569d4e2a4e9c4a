# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""`trapeze cc`: any option of the compiler gets through."""

from __future__ import annotations

from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from trapeze.common.errors import TrapezeError
from trapeze.firmware import compiler, gcc_options, toolchain
from trapeze.platform import configurations as config
from verify.dev.testing import Trapeze

MAIN = "int main(void) { return 0; }\n"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A program."""
    path = tmp_path / "main.c"
    path.write_text(MAIN)
    return path


@pytest.mark.parametrize("name", config.names())
def test_builds_for_the_platform(trapeze: Trapeze, source: Path, tmp_path: Path, name: str) -> None:
    output = tmp_path / "out.elf"
    assert trapeze("cc", "--config", name, source, "-o", output).code == 0
    with output.open("rb") as file:
        elf = ELFFile(file)
        assert elf["e_machine"] == "EM_RISCV"
        assert elf.elfclass == 32
        assert elf["e_entry"] == config.load(name).first.reset_vector
        assert bool(elf["e_flags"] & 0x8) == (config.load(name).first.abi == "ilp32e")


def test_defines_of_a_scheme() -> None:
    flags = compiler.compile_flags(config.load("mcu-fastirq-256"))
    for define in ("CLIC=1", "FAST=1", "FAST_BANKS=2", "LINES=48", "LINE_BASE=16", "SOURCES=256"):
        assert f"-DTRAPEZE_IRQ_{define}" in flags
    assert "-DTRAPEZE_IRQ_FAST=1" not in compiler.compile_flags(config.load("mcu-clic"))
    assert "-DTRAPEZE_IRQ_CLIC=1" not in compiler.compile_flags(config.load("mcu-clint"))


def test_options_keep_their_order(source: Path) -> None:
    options = ["-O3", "-march=rv32im", "-DA=--config", "-Wl,-Map=x.map", "-h", "-j", str(source), "-o", "x"]
    command = toolchain.command_line(config.load("mcu-clint"), options)
    start = command.index("-O3")
    assert command[start : start + len(options)] == options
    assert command.index("-march=rv32imc_zba_zbb") < start


@pytest.mark.parametrize("option", ["-c", "-S", "-E"])
def test_without_linking(trapeze: Trapeze, source: Path, tmp_path: Path, option: str) -> None:
    output = tmp_path / "out"
    said = trapeze(
        "cc", option, "--config=mcu-clint", source, "-o", output, "-Werror", "-g3", "--param=ssp-buffer-size=4"
    )
    assert (said.code, said.err) == (0, "")
    assert output.stat().st_size > 0


def test_compiler_answers_itself(trapeze: Trapeze) -> None:
    said = trapeze("cc", "--config", "mcu-clint", "--version")
    assert said.code == 0
    assert "riscv64-unknown-elf-gcc" in said.out


def test_own_start_files(trapeze: Trapeze, tmp_path: Path) -> None:
    source = tmp_path / "start.S"
    source.write_text(".globl _start\n_start: j _start\n")
    assert trapeze("cc", "--config", "mcu-clint", "-nostdlib", source, "-o", tmp_path / "x.elf").code == 0


def test_errors_are_the_compilers(trapeze: Trapeze, tmp_path: Path) -> None:
    said = trapeze("cc", "--config", "mcu-clint", tmp_path / "none.c", "-o", tmp_path / "x.elf")
    assert said.code == 1
    assert "none.c: No such file" in said.err
    assert not (tmp_path / "x.elf").exists()


def test_too_large_for_the_memory(trapeze: Trapeze, tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("char big[1 << 20] = {1};\nint main(void) { return big[0]; }\n")
    said = trapeze("cc", "--config", "mcu-clint", source, "-o", tmp_path / "x.elf")
    assert said.code == 1
    assert "will not fit in region" in said.err or "overflowed" in said.err


def test_build_raises(tmp_path: Path) -> None:
    source = tmp_path / "main.c"
    source.write_text("int main(void) { int unused; return 0; }\n")
    with pytest.raises(TrapezeError, match="unused"):
        toolchain.build(config.load("mcu-clint"), [source], tmp_path / "x.elf")


def test_a_base_that_does_not_fit() -> None:
    other = config.load("mcu-clint").changed(abi="ilp32e")
    with pytest.raises(TrapezeError, match="base rv32i is ilp32, but configuration mcu-clint is ilp32e"):
        compiler.compile_flags(other)


@pytest.mark.parametrize(
    ("extensions", "march"),
    [(("m",), "rv32im"), (("m", "a", "c", "zba", "zbb", "zbs"), "rv32imac_zba_zbb"), ((), "rv32i")],
)
def test_the_compiler_uses_what_the_hart_has(extensions: tuple[str, ...], march: str) -> None:
    other = config.load("mcu-clint").changed(extensions=extensions)
    assert f"-march={march}" in compiler.compile_flags(other)
    assert f" isa={march} " in compiler.note(other)


OWN_SCRIPT = """
ENTRY(reset)
PHDRS { code PT_LOAD FLAGS(5); }
SECTIONS { .text TRAPEZE_RESET_VECTOR : { *(.text*) } :code /DISCARD/ : { *(.comment .riscv.attributes .note*) } }
"""


@pytest.mark.parametrize("option", ["-T{}", "-T {}", "-Wl,-T,{}", "-Wl,--script={}", "-Wl,-T{}"])
def test_own_linker_script_is_the_only_one(trapeze: Trapeze, tmp_path: Path, option: str) -> None:
    """It replaces the kit's, as it does GCC's own; the memory map's symbols are there."""
    script, source, output = tmp_path / "own.ld", tmp_path / "start.S", tmp_path / "x.elf"
    script.write_text(OWN_SCRIPT)
    source.write_text(".globl reset\n.section .text.late\nreset: j reset\n")
    words = option.format(script).split()
    said = trapeze("cc", "--config", "mcu-clint", "-nostartfiles", *words, source, "-o", output)
    assert (said.code, said.err) == (0, "")
    with output.open("rb") as file:
        elf = ELFFile(file)
        assert [one["p_type"] for one in elf.iter_segments()] == ["PT_LOAD"]
        assert elf["e_entry"] == config.load("mcu-clint").first.reset_vector


def test_options_that_begin_like_a_linker_script() -> None:
    for words in (["-Ttext=0x80000000"], ["-Wl,-Tdata,0x80100000"], ["-o", "-T"], ["-DT=1"]):
        assert not gcc_options.own_script(words)


def test_own_linker_script_beside_a_monitor(trapeze: Trapeze, source: Path, tmp_path: Path) -> None:
    said = trapeze("cc", "--config", "mcu-user", "--monitor", "soft", "-Town.ld", source, "-o", tmp_path / "x.elf")
    assert said.code == 2
    assert "--monitor soft: says itself what is where in memory; leave out your linker script (-T)" in said.err


@pytest.mark.parametrize("words", [["-x", "c"], ["-xc"], ["-x", "c++"]])
def test_language_by_option(trapeze: Trapeze, tmp_path: Path, words: list[str]) -> None:
    """It is for the user's files alone."""
    source, output = tmp_path / "main.inc", tmp_path / "x.elf"
    source.write_text(MAIN)
    said = trapeze("cc", "--config", "mcu-clint", *words, source, "-o", output)
    assert (said.code, said.err) == (0, "")
    assert output.is_file()


SECTIONS = """
__attribute__((section(".noinit"))) char noinit[512];
__attribute__((section(".dma_buffers,\\"aw\\",@nobits#"), aligned(64))) char dma[256];
__attribute__((section("my_table"))) char table[256] = {1};
extern char __heap_start[];
int main(void) { return noinit[0] + dma[1] + table[2] + __heap_start[0]; }
"""


@pytest.mark.parametrize("name", ["mcu-clint", "mcu-user", "duo"])
def test_heap_is_behind_all_sections(trapeze: Trapeze, tmp_path: Path, name: str) -> None:
    """Those that the linker script does not name, too."""
    source, output = tmp_path / "main.c", tmp_path / "x.elf"
    source.write_text(SECTIONS)
    assert trapeze("cc", "--config", name, source, "-o", output).code == 0
    with output.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        symbols = table.get_symbol_by_name("__heap_start"), table.get_symbol_by_name("__heap_end")
        first, last = (one[0]["st_value"] for one in symbols if one)
        inside = [
            one.name
            for one in elf.iter_sections()
            if one["sh_flags"] & 2
            and one["sh_size"]
            and one["sh_addr"] < last
            and one["sh_addr"] + one["sh_size"] > first
        ]
        assert {".noinit", ".dma_buffers", "my_table"} <= {one.name for one in elf.iter_sections()}
    assert inside in ([], [".heap"])


NOTE = """#include <stdio.h>
__attribute__((section(".note.version"), used)) const char version[] = "v1.2.3-gabcdef";
int main(void) { puts(version); return 0; }
"""


@pytest.mark.parametrize("name", ["mcu-clint", "mcu-user"])
def test_notes_that_a_program_reads(trapeze: Trapeze, tmp_path: Path, name: str) -> None:
    """They are in memory, as their flags say."""
    source, output = tmp_path / "main.c", tmp_path / "x.elf"
    source.write_text(NOTE)
    assert trapeze("cc", "--config", name, source, "-o", output).code == 0
    said = trapeze("run", output, "--config", name, "--engine", "model")
    assert (said.code, said.out) == (0, "v1.2.3-gabcdef\n")


def test_a_program_for_the_kernel_without_it(trapeze: Trapeze, tmp_path: Path) -> None:
    """The compiler misses a header; what brings it is an option."""
    for text, hinted in (("#include <FreeRTOS.h>", True), ("#include <stdio.h>\nint main(void) { return x; }", False)):
        source = tmp_path / "main.c"
        source.write_text(f"{text}\n")
        said = trapeze("cc", "--config", "mcu-clint", source, "-o", tmp_path / "x.elf")
        assert said.code == 1
        assert (f"{source} includes FreeRTOS.h: add --rtos freertos" in said.err) == hinted

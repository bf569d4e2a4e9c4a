# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""The command line, `trapeze COMMAND`. Commands import what they need when they run, so that start-up stays fast."""

from __future__ import annotations

import errno
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from trapeze import __version__
from trapeze.commandline import help_text, linux_options, run_options, single_options, usage
from trapeze.commandline.options import (
    ConfigOption,
    Engine,
    EngineOption,
    JsonOption,
    SetOption,
)
from trapeze.common import paths, processes, streams
from trapeze.common.errors import TrapezeError

app = typer.Typer(
    name="trapeze",
    help="Trapeze, a RISC-V real-time platform and the laboratory that measures it.",
    cls=help_text.ByPurpose,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class Group(StrEnum):
    """Experiments, grouped by the tools that they need."""

    SIMULATION = "simulation"
    SILICON = "silicon"


class Shell(StrEnum):
    """Those that complete."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


class Target(StrEnum):
    """What `synth` maps to."""

    GENERIC = "generic"
    ECP5 = "ecp5"


def require_cycles(engine: Engine) -> None:
    """Refuse an engine that has no cycles to measure.

    Raises:
        TrapezeError: it is another one than `rtl`.
    """
    if engine is not Engine.RTL:
        raise TrapezeError(f"experiments measure cycles, which the engine '{engine}' cannot; use --engine rtl")


@app.callback(invoke_without_command=True)
def main_options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Trapeze, a RISC-V real-time platform and the laboratory that measures it."""
    if version:
        typer.echo(f"trapeze {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(f"{help_text.BEGIN}\n{help_text.commands()}")


@app.command()
def bench(
    experiments: Annotated[
        list[str] | None,
        typer.Argument(metavar="[EXPERIMENT]...", help="By name, or by path: ./mine/experiment.yaml. All without."),
    ] = None,
    engine: EngineOption = Engine.RTL,
    group: Annotated[
        Group | None,
        typer.Option("--group", help="Without a name: the experiments that synthesise, or the others."),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the experiments and measure nothing.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repetitions: a look, not a figure to quote.")] = False,
    json: JsonOption = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="DIR", help="Write a page of the run, index.html.")
    ] = None,
) -> None:
    """Run experiments and print each figure beside the published one."""
    from trapeze.commandline import bench as benches

    if listed:
        benches.show_list(experiments or [])
        return
    require_cycles(engine)
    benches.run(
        experiments or [], quick=quick, json=json, html=html, silicon=None if group is None else group is Group.SILICON
    )


@app.command()
def probe(
    port: Annotated[Path, typer.Argument(metavar="PORT", help="The board's serial port, such as /dev/ttyUSB0.")],
    baud: Annotated[
        int, typer.Option("--baud", metavar="N", min=50, max=20_000_000, help="Bits a second of the line.")
    ] = 115200,
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="C", help="Configuration that the board must have, or its file."),
    ] = None,
    samples: Annotated[
        int, typer.Option("--samples", metavar="N", min=2, max=40_000, help="Of each latency, idle and under stress.")
    ] = 400,
    json: JsonOption = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="DIR", help="Write a page, index.html.")] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help="Write the rows as CSV, too.")] = None,
    timeout: Annotated[
        float,
        typer.Option("--timeout", metavar="S", min=0.1, max=86_400, help="Seconds that the board may be silent."),
    ] = 30,
    settings: SetOption = None,
) -> None:
    """Read the latency probes of a board over its serial port, as rows of the experiment `probe`."""
    from trapeze.commandline import probe as probing

    probing.run(probing.Asked(port, baud, config, settings or (), samples, json, html, csv, timeout))


app.command()(run_options.run)


@app.command(context_settings={"ignore_unknown_options": True, "allow_extra_args": True})
def cc() -> None:
    """Compile firmware: `cc --config C [any gcc option] FILE... -o OUT.elf`."""
    # main() takes this command's arguments before typer sees them.


app.command()(linux_options.linux)


@app.command()
def isolate(
    image: Annotated[
        Path, typer.Argument(metavar="IMAGE", help="A program for a partition, of `cc --monitor` or `cc --cell`.")
    ],
    config: ConfigOption,
    settings: SetOption = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="ATTEMPT", help="An attempt by its name, or a kind of them; repeatable."),
    ] = None,
    json: JsonOption = None,
    elf: Annotated[
        Path | None,
        typer.Option("--elf", metavar="FILE", help="With one attempt: write the image that makes it, for `run`."),
    ] = None,
    cell_interrupts: Annotated[
        str | None,
        typer.Option("--cell-interrupts", metavar="HOW", help="Of a cell: delegated (the default) or injected."),
    ] = None,
) -> None:
    """Try to break out of the partition that an image runs in (exit code 1 if anything was let through)."""
    from trapeze.commandline import isolate as isolating

    raise typer.Exit(isolating.run(image, config, settings or (), only or (), json, elf, cell_interrupts))


@app.command()
def campaign(
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", help="Lists of parameters (docs/howto/campaigns.md).")],
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="ADDRESS", help="A Dask scheduler, tcp://HOST:PORT; else all cores here."),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="DIR", help="Go on with the campaign there: what it has is not run again."),
    ] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Go on, and run once more what failed.")] = False,
    why: Annotated[
        int | None,
        typer.Option("--why", metavar="ROW", min=0, help="Say what of a case's key differs from the stored one."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check the file, count the cases, run nothing.")] = False,
    sample: Annotated[
        int | None,
        typer.Option("--sample", metavar="N", min=1, help="Draw N of the cases, spread evenly: a Latin hypercube."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the runs are kept; else the campaign's name.")
    ] = None,
) -> None:
    """Run a program in every combination of lists of parameters, on all cores (exit code 1 if a run failed)."""
    from trapeze.commandline import campaign as campaigns

    asked = campaigns.Asked(file, cluster, resume, failed, why, dry_run, sample, out)
    raise typer.Exit(campaigns.run(asked))


@app.command()
def configs() -> None:
    """List the platform configurations."""
    from trapeze.commandline import describe

    describe.configs()


@app.command()
def show(
    name: Annotated[
        str, typer.Argument(metavar="C", help="Platform configuration, its file, or a program: what it was built for.")
    ],
    settings: SetOption = None,
) -> None:
    """Show a configuration: parameters, memory map, interrupt lines."""
    from trapeze.commandline import describe

    describe.show(name, settings=settings or ())


@app.command()
def synth(
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="C", help="Platform configuration, or its file; all but variants without."),
    ] = None,
    target: Annotated[
        Target,
        typer.Option("--target", help="generic: area in gates, by block; ecp5: LUTs, flip-flops, maximum frequency."),
    ] = Target.GENERIC,
    seeds: Annotated[
        int | None, typer.Option("--seeds", metavar="N", min=1, max=100, help="Placements to try, for ecp5.")
    ] = None,
    json: JsonOption = None,
) -> None:
    """Show what a configuration costs: core and interrupt controller, by block."""
    from trapeze.synth import command

    command.run(config, target.value, seeds, json)


@app.command()
def fpga(
    board: Annotated[str, typer.Option("--board", metavar="BOARD", help="One of synth/boards: ulx3s.")],
    config: Annotated[str, typer.Option("--config", metavar="C", help="Platform configuration, or its file.")],
    firmware: Annotated[
        Path | None, typer.Option("--firmware", metavar="ELF", help="Program that the memories begin with.")
    ] = None,
    clock: Annotated[
        float | None, typer.Option("--clock", metavar="MHZ", min=1, max=400, help="Of the SoC; the board's without.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.bit", help="Bitstream, BOARD-C.bit without; beside it the SVF."),
    ] = None,
    settings: SetOption = None,
) -> None:
    """Build a bitstream of a configuration, with a program, for a board (some ten minutes)."""
    from trapeze.fpga import command

    command.run(board, config, settings or (), firmware, clock, output)


@app.command()
def check(
    budget_file: Annotated[Path, typer.Argument(metavar="BUDGET.toml", help="Limits by row, metric and statistic.")],
    result_file: Annotated[Path, typer.Argument(metavar="RESULT.json", help="What was measured.")],
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Write the verdicts for a CI server, too: JUnit XML.")
    ] = None,
) -> None:
    """Fail (exit code 1) where a measured figure is not within its budget, or samples are missing."""
    from trapeze.commandline import check as checks

    raise typer.Exit(checks.run(budget_file, result_file, junit))


@app.command()
def compare(
    before: Annotated[Path, typer.Argument(metavar="A.json", help="A result file.")],
    after: Annotated[Path, typer.Argument(metavar="B.json", help="A later one.")],
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write a page of it, too.")] = None,
) -> None:
    """Show what changed between two result files."""
    from trapeze.commandline import compare as comparing

    comparing.run(before, after, html)


@app.command()
def doctor() -> None:
    """Show which tools were found, which are missing and how to get them (exit code 1 if any is)."""
    from trapeze.commandline import doctor as doctors

    raise typer.Exit(doctors.report())


@app.command(
    help=f'Print what makes a shell complete commands and options: `eval "$({paths.COMMAND} completion bash)"`.'
)
def completion(
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")] = Shell.BASH,
) -> None:
    """Print what makes a shell complete commands and options."""
    typer.echo(help_text.completion_script(shell.value))


@app.command(hidden=True)
def sources(
    config: ConfigOption,
    target: Annotated[str, typer.Option("--target", help="FuseSoC target of the configuration's top core.")] = "sim",
) -> None:
    """List a platform's source files in compile order."""
    from trapeze.platform import configurations, cores

    resolved = cores.Library().resolve(configurations.load(config).design(), target)
    for source in resolved.sources:
        typer.echo(f"{source.path} {source.file_type}{' include' if source.include else ''}")


single_options.apply(app)


def dispatch(arguments: list[str]) -> int:
    """Run a command line; errors are raised, not printed.

    Returns:
        The exit code.
    """
    if arguments[:1] == ["cc"]:
        from trapeze.firmware import cc as compiling
        from trapeze.linux import program

        if program.OPTION in arguments:
            return program.command([word for word in arguments[1:] if word != program.OPTION])
        return compiling.command(arguments[1:])
    help_text.prepare_completion()
    code = app(arguments, prog_name="trapeze", standalone_mode=False)
    return code if isinstance(code, int) else 0


def _give_up_output() -> None:
    """The rest of standard output cannot be written; without this Python would report that at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def main(arguments: list[str] | None = None) -> int:
    """Run a command line as a process does: errors become one line on standard error.

    Returns:
        The exit code.
    """
    if arguments is None:
        streams.stand_in()
        processes.end_by_signals()
    try:
        code = dispatch(sys.argv[1:] if arguments is None else arguments)
        if processes.ending():  # typer makes a plain exit code of that
            raise processes.Ended
        sys.stdout.flush()
        return code
    except TrapezeError as error:
        print(f"trapeze: error: {error}", file=sys.stderr)
        return error.exit_code
    except typer.TyperException as error:
        print(f"trapeze: error: {usage.line(error)}", file=sys.stderr)
        return 2
    except typer.Exit as done:
        return done.exit_code
    except BrokenPipeError:
        _give_up_output()
        return 1
    except OSError as error:
        # Expected errors are TrapezeErrors, whose messages say more.
        if error.filename is None:
            _give_up_output()
        reason = (error.strerror or str(error)).lower()
        if error.errno == errno.EBADF:
            print("trapeze: error: standard output is closed; send it to a file, or to /dev/null", file=sys.stderr)
            return 2
        place = error.filename if error.filename is not None else "standard output"
        print(f"trapeze: error: {place}: {reason}; free space, or choose a place that you may use", file=sys.stderr)
        return 2
    except RecursionError:
        print("trapeze: error: the input is nested too deeply; flatten it", file=sys.stderr)
        return 2
    except MemoryError:
        print("trapeze: error: out of memory; give a smaller input, or close other programs", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        print("trapeze: interrupted", file=sys.stderr)
        return processes.exit_code()

# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""Blocks of the main program of random programs for the CLIC.

Between blocks the program is in machine mode at level 0 with interrupts on; x5 to x7 and x1 hold nothing. A block may
leave the CLIC in any state but these: the two reserved sources are off, and no other one has ctl 255.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from verify.random.clic.devices import a_device, external, software, timer
from verify.random.clic.handlers import ENTRIES, FUEL, RECOVER, STUBS, pack
from verify.random.clic.main import Main
from verify.random.instructions import levels
from verify.random.instructions.levels import MACHINE, USER

_MPP, _MPIE, _MINHV = 3 << 28, 1 << 27, 1 << 30
_RESERVED = (
    *levels.reserved(MACHINE),
    # the other scratch swap, and jalxnxti other than with one register
    *("csrrw x0, mscratchcsw, x5", "csrrw x6, mscratchcsw, x0", "csrrs x6, mscratchcsw, x5"),
    *("csrrs x6, mscratchcsw, x0", "csrrwi x6, mscratchcsw, 1", "csrrw x6, jalmnxti, x5", "csrrw x0, jalmnxti, x0"),
    *("csrrw x1, jalmnxti, x0", "csrrs x6, jalmnxti, x6", "csrrwi x6, jalmnxti, 6"),
    *("csrrs x6, 0x346, x0", "csrrs x6, mtinst, x0", "csrrs x6, 0xfb0, x0"),
)


def plain_work(main: Main) -> None:
    """Nothing but work."""
    main.work.some(10)


def write_parts(main: Main, value_of: Callable[[int], int]) -> None:
    """Write a byte, a half or a word of some sources, whatever they are doing; `value_of` draws a source's word."""
    rng, clic = main.rng, main.clic
    for _ in range(rng.randint(1, 4)):
        source = main.any_source()
        value = value_of(source)
        if rng.random() < 0.1:
            value |= rng.getrandbits(14) << 1 & 0xFEFE  # bits that do not exist
        size, offset = rng.choice(((4, 0), (4, 0), (2, 0), (2, 2), (1, 0), (1, 1), (1, 2), (1, 3)))
        part = value >> 8 * offset & (1 << 8 * size) - 1
        main.text(f"li x6, {clic.word(source) + offset:#x}", f"li x5, {part:#x}")
        main.text(f"{ {1: 'sb', 2: 'sh', 4: 'sw'}[size] } x5, 0(x6)")
        if rng.random() < 0.3:
            main.work.some(2)


def write_source(main: Main) -> None:
    """Write parts of some sources: any attributes, any level."""
    choice = main.rng.choice
    write_parts(main, lambda _: pack(choice((0, 1, 1)), choice((0, 1, 1, 1)), main.attributes(), main.control()))


def enable(main: Main) -> None:
    """Enable and disable sources, and change nothing else: interrupts that came meanwhile are still pending."""
    rng, clic = main.rng, main.clic
    for _ in range(rng.randint(1, 6)):
        offset = rng.choice((1, 1, 1, 2))
        value = rng.choice((0, 1)) if offset == 1 else main.attributes(edge=1)
        main.text(f"li x6, {clic.word(main.any_source()) + offset:#x}", f"li x5, {value}", "sb x5, 0(x6)")
        if rng.random() < 0.4:
            main.text(f"lbu x5, {-offset}(x6)")
    main.work.some(3)


def burst(main: Main) -> None:
    """Make several sources pending at once, or one behind the other."""
    rng, clic = main.rng, main.clic
    is_locked = rng.random() < 0.6
    main.text("la x6, variables", f"li x5, {rng.randint(0, 14)}", f"sw x5, {FUEL}(x6)")
    if is_locked:
        main.off()
    for source in rng.sample(clic.free, min(rng.randint(2, 8), len(clic.free))):
        value = pack(1, 1, main.attributes(edge=1), main.control())
        main.text(f"li x6, {clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
    if is_locked:
        main.work.some(3)
        main.on()
    main.work.some(4)


def ladder(main: Main) -> None:
    """The most levels, with handlers that raise sources above their own level."""
    rng, clic = main.rng, main.clic
    main.text(
        f"li x6, {clic.base:#x}", "li x5, 8", "sb x5, 0(x6)", "la x6, variables", "li x5, 40", f"sw x5, {FUEL}(x6)"
    )
    value = pack(1, 1, rng.choice((2, 3)), rng.randint(1, 40))
    main.text(f"li x6, {clic.word(main.any_source()):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
    main.work.some(4)


def level_bits(main: Main) -> None:
    """Change how many bits of ctl are the level."""
    rng, clic = main.rng, main.clic
    name, offset = rng.choice((("sw", 0), ("sh", 0), ("sb", 0), ("sb", 1), ("sh", 2)))
    value = rng.choice((rng.randrange(16), rng.randrange(9), 8, 8, 8, 4, 2, rng.getrandbits(32)))
    main.text(f"li x6, {clic.base:#x}", f"li x5, {value:#x}", f"{name} x5, {offset}(x6)", "lw x5, 0(x6)")


def threshold(main: Main) -> None:
    """Work behind a threshold; it may stay."""
    rng = main.rng
    value = rng.choice((rng.randrange(256), 255, 254, 0x100, rng.getrandbits(32)))
    main.text(
        f"li x5, {value:#x}",
        rng.choice(("csrrw x6, mintthresh, x5", "csrrs x6, mintthresh, x5", "csrrc x0, mintthresh, x5")),
    )
    main.work.some(4)
    main.text("csrrw x6, mintthresh, x0" if rng.random() < 0.9 else "csrr x6, mintthresh")


def locked_work(main: Main) -> None:
    """Work with interrupts off; pending ones come at its end."""
    with main.locked():
        main.work.some(6)


def raise_and_end(main: Main, ends: Sequence[str]) -> None:
    """Make the source at x6 pending, soon do one or two of these things to it, then let all interrupts come."""
    rng = main.rng
    main.nops(2)
    main.text("sb x5, 0(x6)")
    main.nops(3)
    main.text(rng.choice(ends))
    main.nops(2)
    if rng.random() < 0.5:
        main.text(rng.choice(ends))
    main.work.some(2)
    main.text("csrw mintthresh, x0")
    main.on()


def race(main: Main) -> None:
    """Make a source pending, and within a few instructions take it back, mask it, or change what it is."""
    clic = main.clic
    source = main.any_source()
    value = pack(0, 1, main.attributes(edge=1), clic.ctl(200))
    main.text(f"li x6, {clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)", "li x5, 1", "li x7, 0xff")
    ends = (
        *("sb x0, 0(x6)", "sb x0, 1(x6)", "sb x0, 3(x6)", "csrw mintthresh, x7", "csrci mstatus, 8", "sh x0, 0(x6)"),
        *("sb x7, 2(x6)", "sb x0, 2(x6)", "sb x5, 2(x6)", "csrr x7, mnxti", "lbu x7, 0(x6)", "lw x7, 0(x6)"),
        "sw x0, 0(x6)",
    )
    raise_and_end(main, ends)


def read_back(main: Main) -> None:
    """Read registers of the CLIC and of the core."""
    rng, clic = main.rng, main.clic
    for _ in range(rng.randint(1, 5)):
        if rng.random() < 0.6:
            source = rng.choice((main.any_source(), rng.randrange(clic.sources)))
            name, offset = rng.choice(
                (("lw", 0), ("lw", 0), ("lhu", 0), ("lh", 2), ("lbu", 0), ("lbu", 0), ("lb", 2), ("lbu", 3))
            )
            main.text(f"li x6, {clic.word(source) + offset:#x}", f"{name} x5, 0(x6)")
        elif rng.random() < 0.2:
            places = (clic.base + 4, clic.base + 0x40, clic.first + 4 * clic.sources, clic.base + 0x7FFC)
            main.text(f"li x6, {rng.choice(places):#x}", "sw x6, 0(x6)", "lw x5, 0(x6)")
        else:
            roles = ("status", "ie", "tvec", "tvt", "epc", "cause", "tval", "ip", "nxti", "intthresh", "intstatus")
            numbers = [MACHINE.csr(role) for role in roles]
            main.text(f"csrr x{rng.choice((5, 6, 7))}, {rng.choice(numbers):#x}")


def misaligned(main: Main) -> None:
    """Accesses to the CLIC that reach into two words."""
    rng, clic = main.rng, main.clic
    address = clic.word(main.any_source()) + rng.choice((1, 2, 3))
    main.text(f"li x6, {address:#x}", f"{rng.choice(('lw x5', 'lh x5', 'lhu x5'))}, {rng.choice((0, 4))}(x6)")


def ask(main: Main) -> None:
    """xnxti without effect."""
    rng = main.rng
    for _ in range(rng.randint(1, 3)):
        value = rng.getrandbits(32) & ~0x1F
        main.text(f"li x6, {value:#x}")
        main.text(levels.asks(MACHINE, rng, "x5", "x6"))
        main.nops(1)


def claim(main: Main) -> None:
    """xnxti with effect, from any interrupted level, above any threshold."""
    rng = main.rng
    main.off()
    for _ in range(rng.randint(1, 4)):
        if rng.random() < 0.4:
            source = main.any_source()
            value = pack(1, 1, rng.choice((2, 6)), main.control())
            main.text(f"li x6, {main.clic.word(source):#x}", f"li x5, {value:#x}", "sw x5, 0(x6)")
            main.nops(3)
        if rng.random() < 0.5:
            cause = _MPP | rng.choice((0, rng.randrange(256))) << 16
            main.text(f"li x5, {cause:#x}", "csrw mcause, x5")
        if rng.random() < 0.3:
            main.text(f"li x5, {rng.choice((0, rng.randrange(256)))}", "csrw mintthresh, x5")
        main.text(levels.claims(MACHINE, rng, "x5", "x6"), "csrr x6, mcause", "csrr x6, mintstatus")
        if rng.random() < 0.3:
            main.text("li x6, 1", "csrrw x6, mscratchcswl, x6", "csrrw x7, mscratchcsw, x6")
    main.text("csrw mintthresh, x0")
    main.become(3, True, 0)


def call_all(main: Main) -> None:
    """jalxnxti until nothing qualifies."""
    rng = main.rng
    main.off()
    if rng.random() < 0.7:
        source = main.any_source()
        main.text(f"li x6, {main.clic.word(source):#x}", f"li x5, {pack(1, 1, 2, main.control()):#x}", "sw x5, 0(x6)")
        main.nops(3)
    cause = _MPP | rng.choice((0, 0, rng.randrange(256))) << 16
    main.text(f"li x5, {cause:#x}", "csrw mcause, x5", "csrrw x1, jalmnxti, x1")
    main.off()
    main.become(3, True, 0)


def user_mode(main: Main) -> None:
    """Work in user mode, where every interrupt comes through, and back."""
    rng = main.rng
    main.off()
    if rng.random() < 0.4:
        main.text(f"li x5, {rng.randrange(256)}", "csrw mintthresh, x5")
    main.become(0, rng.random() < 0.5, rng.choice((0, 0, 0, rng.randrange(256))))
    for _ in range(rng.randint(0, 4)):
        rng.choice((plain_work, plain_work, write_source, machine_only))(main)
    main.text("ecall", "csrr x5, mintthresh")


def machine_only(main: Main) -> None:
    """In user mode, instructions and CSRs of machine mode are illegal; of its own CSRs, reserved accesses."""
    choice = main.rng.choice
    main.text(choice(("csrr x5, mnxti", "csrrsi x5, mnxti, 8", "csrr x5, mintstatus", "csrw mintthresh, x0", "mret")))
    more = levels.reserved(USER) if main.clic.user else ()
    swaps = ("csrrw x1, jalmnxti, x1", "csrrw x5, mscratchcsw, x5", "csrrw x5, mscratchcswl, x5", "csrr x5, mtvt")
    main.text(choice((*swaps, *more)))


def reserved(main: Main) -> None:
    """Accesses that are illegal instructions, and other exceptions."""
    rng = main.rng
    for _ in range(rng.randint(1, 4)):
        main.text("li x6, 0x1234", rng.choice((*_RESERVED, *_RESERVED, "ecall", "ebreak", ".4byte 0")))


def swap(main: Main) -> None:
    """The scratch swaps, with any interrupted mode and level."""
    rng = main.rng
    main.off()
    cause = rng.choice((0, _MPP)) | rng.choice((0, 0, rng.randrange(256))) << 16
    main.text(f"li x5, {cause:#x}", "csrw mcause, x5", f"li x6, {rng.getrandbits(32):#x}", "csrrw x7, mscratch, x6")
    for _ in range(rng.randint(1, 3)):
        a, b = rng.choice((5, 6, 7)), rng.choice((5, 6, 7))
        main.text(f"csrrw x{a}, {rng.choice(('mscratchcsw', 'mscratchcswl'))}, x{b}", "csrr x6, mscratch")
    main.on()


def registers(main: Main) -> None:
    """Any value into the CSRs that a CLIC changes; the next trap overwrites what matters."""
    with main.locked():
        any_registers(main, ("fastirq", "frame"))
        main.text("la x5, clic_table", "csrw mtvt, x5", "csrw mstatus, x0")


def any_registers(main: Main, without: Collection[str] = ()) -> None:
    """Any value into CSRs of machine mode, with interrupts off; where user mode has interrupts, into its own, too.

    Traps need mtvec and mscratch meanwhile; blocks of their own write these, and claim by mnxti.
    """
    without = {"tvec", "scratch", "scratchcswl", "nxti", *without}
    main.text(*levels.any_value(MACHINE, main.rng, "x6", "x5", levels.ENABLE, without), "csrw mintthresh, x0")
    if main.clic.user:
        user_registers(main)


def user_registers(main: Main) -> None:
    """Any value into CSRs of user mode, where all sources are machine mode's."""
    main.text(*levels.any_value(USER, main.rng, "x6", "x5", ""))


def entry(main: Main) -> None:
    """Move the trap entry; the low bits read as 3 whatever is written."""
    rng = main.rng
    main.text(
        f"la x5, clic_entry{rng.randrange(ENTRIES)} + {rng.randrange(64)}", "csrrw x6, mtvec, x5", "csrr x6, mtvec"
    )


def table(main: Main) -> None:
    """Change an entry of the vector table."""
    rng = main.rng
    offset = 4 * rng.randrange(main.clic.sources)
    main.text(f"la x6, clic_table + {offset}", f"la x5, clic_stub{rng.randrange(STUBS)}", "sw x5, 0(x6)", "fence.i")


def wait(main: Main) -> None:
    """WFI: ended by a source that is pending already, with interrupts off, or by the timer."""
    rng, clic = main.rng, main.clic
    if rng.random() < 0.5:
        main.off()
        main.text(
            "csrw mintthresh, x0",
            f"li x6, {clic.word(clic.wake):#x}",
            f"li x5, {pack(1, 1, rng.choice((2, 3)), clic.highest + 1):#x}",
        )
        main.text("sw x5, 0(x6)")
        main.nops(2)
        main.text("wfi")
        main.work.some(2)
        if rng.random() < 0.3:
            main.text("sb x0, 0(x6)")
        main.on()
        main.work.some(2)
        main.text(f"li x6, {clic.word(clic.wake):#x}", "sh x0, 0(x6)")
        return
    timer(main)
    main.text(
        "csrw mintthresh, x0",
        f"li x6, {clic.word(7):#x}",
        f"li x5, {pack(0, 1, rng.choice((0, 1)), clic.ctl(253)):#x}",
        "sw x5, 0(x6)",
    )
    if rng.random() < 0.3:
        main.become(0, True, 0)
        main.text("wfi", "ecall")
    else:
        main.text("wfi")


def bad_table(main: Main) -> None:
    """A vectored interrupt whose table entry cannot be fetched: taken, or asked for by jalxnxti."""
    rng, asm, clic = main.rng, main.asm, main.clic
    back = asm.label("back")
    place = rng.choice((0, 0x90000000, clic.base, main.platform.imem.end, 0xFFFFFF00, main.platform.uart))
    is_taken = rng.random() < 0.7
    main.off()
    main.text(f"la x5, {back}", "la x6, variables", f"sw x5, {RECOVER}(x6)")
    main.text(f"li x6, {clic.base:#x}", "li x5, 8", "sb x5, 0(x6)", "li x5, 254", "csrw mintthresh, x5")
    attributes = rng.choice((3, 7)) if is_taken else rng.choice((2, 6))
    main.text(f"li x6, {clic.word(clic.fault):#x}", f"li x5, {pack(1, 1, attributes, 255):#x}", "sw x5, 0(x6)")
    main.text(f"li x5, {place:#x}", "csrw mtvt, x5")
    if is_taken:
        main.on()
        main.nops(8)
    else:
        main.nops(3)
        main.text(f"li x5, {_MPP:#x}", "csrw mcause, x5", "csrrw x1, jalmnxti, x1")
    asm.place(back)
    main.off()
    main.text("la x5, clic_table", "csrw mtvt, x5", f"li x6, {clic.word(clic.fault):#x}", "sh x0, 0(x6)")
    main.text("csrw mintthresh, x0")
    main.become(3, True, 0)


def fetch_again(main: Main) -> None:
    """mret that fetches a table entry, good or bad."""
    rng, asm = main.rng, main.asm
    back, word = asm.label("back"), asm.label("word")
    main.off()
    main.text(f"la x5, {back}", "la x6, variables", f"sw x5, {RECOVER}(x6)")
    mpp, is_bad = rng.choice((3, 3, 0)), rng.random() < 0.3
    cause = _MINHV | mpp << 28 | rng.choice((0, _MPIE)) | rng.choice((0, rng.randrange(256))) << 16
    low = rng.randrange(4)
    target = (
        f"li x5, {rng.choice((0x90000000, 0, main.platform.uart)) + low:#x}" if is_bad else f"la x5, {word} + {low}"
    )
    main.text(f"li x6, {cause:#x}", "csrw mcause, x6", target, "csrw mepc, x5", "mret", ".balign 4, 0")
    asm.place(word)
    main.text(f".4byte {back} + {rng.randrange(2 if asm.base.compressed else 4)}")
    asm.place(back)
    if mpp == 0:
        main.text("ecall")
    main.off()
    main.text("csrr x5, mcause")
    main.become(3, True, 0)


Block = Callable[[Main], None]

WEIGHTS: dict[str, tuple[Block, int]] = {
    "plain_work": (plain_work, 20),
    "write_source": (write_source, 20),
    "enable": (enable, 14),
    "burst": (burst, 10),
    "ladder": (ladder, 3),
    "level_bits": (level_bits, 5),
    "threshold": (threshold, 6),
    "locked_work": (locked_work, 4),
    "race": (race, 12),
    "read_back": (read_back, 6),
    "misaligned": (misaligned, 1),
    "ask": (ask, 4),
    "claim": (claim, 6),
    "call_all": (call_all, 5),
    "user_mode": (user_mode, 6),
    "reserved": (reserved, 3),
    "swap": (swap, 3),
    "registers": (registers, 3),
    "entry": (entry, 4),
    "table": (table, 1),
    "wait": (wait, 3),
    "timer": (timer, 3),
    "software": (software, 3),
    "external": (external, 2),
    "a_device": (a_device, 4),
    "bad_table": (bad_table, 4),
    "fetch_again": (fetch_again, 4),
}
"""Block name to emitter and weight."""

# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""What one of several harts does between two meetings: work of its own, and work on what all share."""

from __future__ import annotations

from collections.abc import Callable

from verify.random.harts import kit as kit_of
from verify.random.harts import layout
from verify.random.harts.kit import Kit
from verify.random.harts.layout import MEETING, NUMBER, ROUND, SHARED, Check, Counter
from verify.random.instructions.isa import LOADS, STORES
from verify.random.programs.blocks import atomic, control, data, lockstep

Block = Callable[[Kit], None]


def _alu(kit: Kit) -> None:
    data.alu(kit.ctx, kit.ctx.rng.randint(2, 12))


def _fence(kit: Kit) -> None:
    kit.ctx.asm.op(kit.ctx.rng.choice(("fence", "fence.i", "fence iorw, iorw", "fence w, r")))


def _csr(kit: Kit) -> None:
    """Checks of a hart's own registers."""
    (temp,) = kit.take(1)
    name = kit.ctx.rng.choice(("mhartid", "mcycle", "minstret", "mip", "mintstatus", "mstatus", "misa"))
    kit.text(f"csrr {temp}, {name}")


def _place(kit: Kit) -> None:
    """Accesses of any alignment in a part of shared memory that no other hart uses in this round."""
    ctx, rng = kit.ctx, kit.ctx.rng
    (pointer,) = ctx.take(1)
    kit.text(f"xor x{pointer}, {NUMBER}, {ROUND}", f"andi x{pointer}, x{pointer}, 1", f"slli x{pointer}, x{pointer}, 8")
    kit.text(f"add x{pointer}, x{pointer}, {SHARED}")
    with ctx.hold(pointer):
        for _ in range(rng.randint(1, 5)):
            name = rng.choice((*LOADS, *STORES))
            size = (LOADS | STORES)[name]
            offset = layout.PLACES + rng.randrange(layout.PLACE_BYTES - size + 1)
            ctx.asm.op(name, f"x{ctx.rd() if name in LOADS else ctx.rs()}", f"{offset}(x{pointer})")


def _add_locked(kit: Kit, which: Counter, copy: int, first: str, second: str) -> None:
    """Within a lock: two words are equal, and stay so."""
    rng = kit.ctx.rng
    kit.text(f"lw {first}, {layout.counter(which)}({SHARED})", f"lw {second}, {copy}({SHARED})")
    kit.require(first, second, Check.LOCK)
    value = rng.randint(1, 99)
    kit.text(f"addi {first}, {first}, {value}", f"sw {first}, {layout.counter(which)}({SHARED})")
    kit.text(*["nop"] * rng.randint(0, 5))
    kit.text(f"sw {first}, {copy}({SHARED})", f"li {second}, {value}")
    kit.count(which, second, first)


def _lock(kit: Kit) -> None:
    """Something within a spin lock, taken by an AMO or by LR and SC, given back by an AMO or a store."""
    rng, asm = kit.ctx.rng, kit.ctx.asm
    pointer, first, second = kit.take(3)
    again = asm.label("lock")
    kit.text(f"addi {pointer}, {SHARED}, {layout.LOCK}", f"li {first}, 1")
    asm.place(again)
    draw = rng.random()
    if draw < 0.4:
        kit.text(f"amoswap.w.aq {second}, {first}, ({pointer})", f"bnez {second}, {again}")
    elif draw < 0.7:
        kit.text(f"lw {second}, 0({pointer})", f"bnez {second}, {again}")
        kit.text(f"amoor.w.aq {second}, {first}, ({pointer})", f"bnez {second}, {again}")
    else:
        kit.text(f"lr.w.aq {second}, ({pointer})", f"bnez {second}, {again}")
        kit.text(f"sc.w {second}, {first}, ({pointer})", f"bnez {second}, {again}")
    _add_locked(kit, Counter.LOCKED, layout.LOCKED_COPY, first, second)
    if rng.random() < 0.5:
        kit.text(f"amoswap.w.rl x0, x0, ({pointer})")
    else:
        kit.text("fence rw, w", f"sw x0, 0({pointer})")


def _ticket(kit: Kit) -> None:
    """Something within a ticket lock."""
    asm = kit.ctx.asm
    pointer, ticket, first, second = kit.take(4)
    again = asm.label("ticket")
    kit.text(f"addi {pointer}, {SHARED}, {layout.TICKET_NEXT}", f"li {ticket}, 1")
    kit.text(f"amoadd.w {ticket}, {ticket}, ({pointer})")
    asm.place(again)
    kit.text(f"lw {first}, {layout.TICKET_SERVING}({SHARED})", f"bne {first}, {ticket}, {again}")
    _add_locked(kit, Counter.TICKET, layout.TICKET_COPY, first, second)
    kit.text(f"addi {ticket}, {ticket}, 1", "fence rw, w", f"sw {ticket}, {layout.TICKET_SERVING}({SHARED})")


def _mail(kit: Kit) -> None:
    """A mail to another hart, if it has read the last one: a word, and a software interrupt."""
    rng, asm = kit.ctx.rng, kit.ctx.asm
    box, value, temp, out = *kit.take(3), asm.label("full")
    kit.text(f"xori {box}, {NUMBER}, 1", f"sh3add {box}, {box}, {SHARED}", f"lw {value}, {layout.FULL}({box})")
    kit.text(f"bnez {value}, {out}", f"li {value}, {rng.getrandbits(20):#x}", f"sw {value}, {layout.MAIL}({box})")
    kit.text(f"addi {temp}, {SHARED}, {layout.counter(Counter.MAIL)}", f"amoadd.w x0, {value}, ({temp})")
    kit.text("fence rw, w", f"li {value}, 1", f"sw {value}, {layout.FULL}({box})", "fence w, o")
    kit.text(f"xori {box}, {NUMBER}, 1", f"li {temp}, {kit.ctx.platform.msip:#x}", f"sh2add {box}, {box}, {temp}")
    kit.text(f"sw {value}, 0({box})")
    asm.place(out)


def _wait(kit: Kit) -> None:
    """WFI with the timer set and interrupts off, so that the interrupt does not come before the WFI."""
    kit.text("csrci mstatus, 8")
    kit_of.timer(kit)
    kit.text("wfi", "csrsi mstatus, 8")


def _call(kit: Kit) -> None:
    """Call code in shared memory."""
    slot = layout.CODE + layout.SLOT_BYTES * kit.ctx.rng.randrange(layout.SLOTS)
    kit.text(f"addi x1, {SHARED}, {slot - layout.STEP}", f"jalr x1, {layout.STEP}(x1)")


def _device(kit: Kit) -> None:
    """Registers of devices that all harts use, in whatever order they come to them."""
    rng, platform = kit.ctx.rng, kit.ctx.platform
    pointer, value = kit.take(2)
    names = ("rbr", "lsr", "lsr", "iir", "msr", "scr", "mcr", "ier")
    for _ in range(rng.randint(1, 5)):
        draw = rng.random()
        if draw < 0.3:
            kit.text(f"li {pointer}, {platform.mtime + rng.choice((0, 4)):#x}", f"lw {value}, 0({pointer})")
        elif draw < 0.7:
            kit.text(f"li {pointer}, {platform.uart_registers[rng.choice(names)]:#x}", f"lbu {value}, 0({pointer})")
        elif draw < 0.85:
            kit.text(f"li {pointer}, {platform.uart_scr:#x}", f"sb {value}, 0({pointer})")
        else:
            address = platform.bench["timer"] + rng.choice((0, 4, 8, 12))
            kit.text(f"li {pointer}, {address:#x}", f"lw {value}, 0({pointer})")


def _often(block: Block) -> Block:
    """Some times in a row, so that the harts meet."""

    def some(kit: Kit) -> None:
        for _ in range(kit.ctx.rng.randint(1, 4)):
            block(kit)

    return some


WEIGHTS: dict[str, tuple[Block, int]] = {
    "alu": (_alu, 6),
    "corner": (lambda kit: data.corner(kit.ctx), 3),
    "memory": (lambda kit: data.memory(kit.ctx), 4),
    "late": (lambda kit: lockstep.late(kit.ctx), 4),
    "divisions": (lambda kit: lockstep.divisions(kit.ctx), 2),
    "branch": (lambda kit: control.branch(kit.ctx), 4),
    "skip": (lambda kit: control.skip(kit.ctx), 2),
    "tight_loop": (lambda kit: control.tight_loop(kit.ctx), 2),
    "fence": (_fence, 2),
    "csr": (_csr, 3),
    "races": (kit_of.races, 20),
    "place": (_place, 5),
    "amos": (kit_of.amos, 12),
    "reservations": (kit_of.reservations, 14),
    "refused": (kit_of.refused, 4),
    "count": (lambda kit: kit_of.increment(kit, Counter.AMO), 6),
    "count_lrsc": (_often(lambda kit: kit_of.increment(kit, Counter.LRSC)), 6),
    "lock": (_often(_lock), 6),
    "ticket": (_often(_ticket), 5),
    "mail": (_mail, 8),
    "software": (kit_of.software, 4),
    "timer": (kit_of.timer, 4),
    "wait": (_wait, 2),
    "call": (_call, 6),
    "device": (_device, 4),
}
"""Block name to emitter and weight."""


def meet(kit: Kit) -> None:
    """Go on when all harts are here."""
    rng, asm = kit.ctx.rng, kit.ctx.asm
    pointer, value = kit.take(2)
    again = asm.label("meet")
    kit.text("fence rw, rw", f"addi {pointer}, {SHARED}, {layout.MET}", f"li {value}, 1")
    kit.text(f"amoadd{atomic.order(kit.ctx)} x0, {value}, ({pointer})", f"addi {MEETING}, {MEETING}, {kit.shape.harts}")
    asm.place(again)
    kit.text(*["nop"] * rng.randint(0, 4), f"lw {value}, 0({pointer})", f"blt {value}, {MEETING}, {again}")
    kit.text("fence rw, rw")


TOGETHER = ("races", "amos", "reservations", "count", "count_lrsc", "lock", "ticket")
"""Blocks that all harts begin at the same time now and then, so that their accesses meet."""


def together(kit: Kit, name: str) -> None:
    """A block that the other harts begin at about the same time."""
    meet(kit)
    kit.text(*["nop"] * kit.ctx.rng.randint(0, 12))
    for _ in range(kit.ctx.rng.randint(1, 3)):
        WEIGHTS[name][0](kit)


def change_code(kit: Kit) -> None:
    """Change an instruction of code that all harts call; the others do nothing meanwhile."""
    temp, value = kit.take(2)
    rng = kit.ctx.rng
    # addi a0, a0, by the number of the round: the first instruction of each function is 32 bits wide.
    kit.text(f"slli {temp}, {ROUND}, 20", f"li {value}, 0x00050513", f"or {value}, {value}, {temp}")
    slot = layout.CODE + layout.SLOT_BYTES * rng.randrange(layout.SLOTS)
    kit.text(f"addi {temp}, {SHARED}, {slot - layout.STEP}", f"sw {value}, {layout.STEP}({temp})")

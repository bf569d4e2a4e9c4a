# Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
"""cocotb bench of tz_clic: every cycle is compared with the reference model."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import cocotb
from clic_bench import (
    COUNT,
    CTL_BITS,
    CYCLES,
    EDGE,
    IE,
    LATENCY,
    MACHINE_ATTR,
    MODES,
    NEGATIVE,
    SHV,
    USER,
    random_access,
    start,
)
from clic_model import CONFIG, SOURCES, USER_VIEW, Access, Offer


@cocotb.test()
async def random_traffic(dut: Any) -> None:
    """Random configuration at any time, random wires, random claims: every cycle is as the model says."""
    bench = await start(dut)
    rng = random.Random(COUNT * 100 + CTL_BITS)
    used = sorted(rng.sample(range(COUNT), min(COUNT, 24)))
    seen: Counter[str] = Counter()
    for source in used:
        await bench.configure(source, IE, rng.choice((0, EDGE)), rng.choice((0, NEGATIVE)), ctl=rng.randrange(256))
    writing = claiming = toggling = 0.1
    for cycle in range(CYCLES):
        if cycle % 64 == 0:
            writing = rng.choice((0, 0.02, 0.1, 0.5, 1))
            claiming = rng.choice((0, 0.1, 0.5, 1))
            toggling = rng.choice((0, 0.02, 0.1, 0.5))
        for source in used:
            if rng.random() < toggling:
                bench.wires ^= 1 << source
        access = random_access(rng, used) if rng.random() < writing else None
        claim = bench.offer is not None and rng.random() < claiming
        clear = rng.random() < 0.7
        if claim and rng.random() < 0.2:
            assert bench.offer is not None
            access = Access(SOURCES + 4 * bench.offer.id, rng.randrange(1, 16), rng.getrandbits(32))
        seen["offered"] += bench.offer is not None
        seen["user"] += bench.offer is not None and bench.offer.user
        seen["claimed"] += claim and clear
        seen["raced"] += claim and clear and access is not None and access.data is not None
        await bench.cycle(claim, clear, access)
        seen["spared"] += bench.model.claimed is not None and bench.offer is not None
        seen["untouched"] += bench.model.written is not None and bench.offer is not None
        seen["kept"] += bench.offer is not None and bench.model.written == bench.offer.id
    assert seen["offered"] > CYCLES // 20
    assert seen["claimed"] > CYCLES // 100
    assert seen["user"] > CYCLES // 100 or not USER
    assert seen["raced"] > CYCLES // 1000
    assert seen["kept"] > CYCLES // 1000
    assert seen["spared"] > CYCLES // 1000 or len(used) < 8
    assert seen["untouched"] > CYCLES // 100 or len(used) < 8


@cocotb.test()
async def latency(dut: Any) -> None:
    """A wire sampled in cycle t is offered in t + 1 (t + 2 with the pipelined tree), and gone as fast."""
    bench = await start(dut)
    for source in {0, COUNT // 2, COUNT - 1}:
        for flags in ((), (NEGATIVE,), (EDGE,), (EDGE, NEGATIVE)):
            quiet = 1 << source if NEGATIVE in flags else 0
            bench.wires = quiet
            await bench.idle(3)
            await bench.configure(source, IE, *flags)
            await bench.idle(3)
            bench.wires = quiet ^ 1 << source
            for _ in range(LATENCY):
                assert await bench.cycle() is None
            assert await bench.cycle() == Offer(source, 255, False)
            bench.wires = quiet
            await bench.cycle()
            if EDGE in flags:
                assert await bench.cycle(claim=True, clear=True) == Offer(source, 255, False)
                assert await bench.cycle() is None
            else:
                assert await bench.cycle() is None
            await bench.configure(source)
            await bench.idle(3)


@cocotb.test()
async def every_edge_is_claimed_once(dut: Any) -> None:
    """Devices that wait for their claim before the next edge, and may raise it in the cycle of the claim."""
    bench = await start(dut)
    rng = random.Random(7)
    used = sorted(rng.sample(range(COUNT), min(COUNT, 8)))
    for source in used:
        await bench.configure(source, EDGE, IE, rng.choice((0, SHV)), ctl=rng.randrange(1, 256))
    edges: Counter[int] = Counter()
    waiting: set[int] = set()
    for _ in range(CYCLES // 2):
        offer = bench.offer
        access = None
        if rng.random() < 0.1:  # Mask and unmask at any time; the write leaves the word's ip byte alone.
            access = Access(SOURCES + 4 * rng.choice(used), 2, rng.choice((IE, IE, 0)))
        claim = offer is not None and rng.random() < 0.5
        if claim and offer is not None:
            waiting.remove(offer.id)
        for source in used:
            if bench.wires >> source & 1:
                bench.wires ^= 1 << source
            elif source not in waiting and rng.random() < 0.3:
                bench.wires ^= 1 << source
                waiting.add(source)
                edges[source] += 1
        await bench.cycle(claim, True, access)
    for source in used:
        await bench.write(Access(SOURCES + 4 * source, 2, IE))
    for _ in range(8 * len(used)):
        await bench.cycle(bench.offer is not None, True)
    assert bench.model.claims == edges
    assert edges.total() > CYCLES // 40


@cocotb.test()
async def an_offer_is_replaced_until_claimed(dut: Any) -> None:
    """A more important interrupt replaces the offer, a less important one does not, equals go to the highest id."""
    bench = await start(dut)
    top = COUNT - 1
    ids = sorted({0, COUNT // 3, top})
    await bench.cycle(access=Access(CONFIG, data=8))
    for source in ids:
        await bench.configure(source, IE, ctl=128)
    await bench.idle(2)
    for source in ids:
        bench.wires |= 1 << source
        await bench.idle(LATENCY)
        assert (await bench.cycle()) == Offer(source, 128 | 255 >> CTL_BITS, False)
    await bench.configure(ids[0], IE, SHV, ctl=255)
    await bench.idle(LATENCY)
    assert await bench.cycle() == Offer(ids[0], 255, True)
    await bench.cycle(access=Access(SOURCES + 4 * ids[0], 2, 0))
    for _ in range(LATENCY):
        assert await bench.cycle() is None
    expected = None if len(ids) == 1 else Offer(top, 128 | 255 >> CTL_BITS, False)
    assert await bench.cycle() == expected


@cocotb.test(skip=COUNT < 3)
async def a_claim_spares_the_next_one(dut: Any) -> None:
    """What is more important than a claimed interrupt is offered without a gap, what is less so is not."""
    bench = await start(dut)
    lesser, claimed, greater = range(3)
    await bench.cycle(access=Access(CONFIG, data=8))
    await bench.configure(lesser, EDGE, IE, ctl=64)
    await bench.configure(claimed, EDGE, IE, ctl=128)
    await bench.configure(greater, EDGE, IE, ctl=192)
    await bench.idle(2)
    offers = [Offer(source, (64 * (source + 1)) | 255 >> CTL_BITS, False) for source in range(3)]

    async def claim_with(other: int, delay: int) -> list[Offer | None]:
        """Claim the claimed source `delay` cycles after an edge of the other; return the offers after that."""
        edges = {0: claimed, LATENCY - delay: other}
        for cycle in range(LATENCY):
            bench.wires = 1 << edges[cycle] if cycle in edges else 0
            await bench.cycle()
        bench.wires = 1 << other if delay == 0 else 0
        assert await bench.cycle(claim=True, clear=True) == offers[claimed]
        bench.wires = 0
        return [await bench.cycle() for _ in range(2 * LATENCY + 1)]

    for delay in range(LATENCY):
        # The last offers come from the cycle of the claim and before; a lesser one waits until the claim is seen.
        gap = LATENCY - 1 - delay
        assert (await claim_with(greater, delay))[: gap + 2] == [None] * gap + [offers[greater]] * 2
        await bench.cycle(claim=True, clear=True)
        await bench.idle(4)
        assert (await claim_with(lesser, delay))[: LATENCY + 1] == [None] * LATENCY + [offers[lesser]]
        await bench.cycle(claim=True, clear=True)
        await bench.idle(4)


@cocotb.test(skip=COUNT < 3)
async def a_write_spares_other_sources(dut: Any) -> None:
    """A write to another source, or to none, never delays an interrupt, whatever is written and in which cycle.

    One that ends it takes it back; a source that a write makes the winner comes a cycle later than by a wire.
    """
    bench = await start(dut)
    lesser, source, greater = range(3)
    await bench.cycle(access=Access(CONFIG, data=8))
    for each in (lesser, source, greater):
        await bench.configure(each, EDGE, IE, ctl=64 * (each + 1))
    await bench.idle(2)
    offers = [Offer(each, (64 * (each + 1)) | 255 >> CTL_BITS, False) for each in range(3)]

    async def edge_with(access: Access, delay: int) -> list[Offer | None]:
        """Make the access `delay` cycles after an edge of the source; return the offers from the edge on."""
        shown = []
        for cycle in range(-1, 2 * LATENCY + 3):
            bench.wires = 1 << source if cycle == 0 else 0
            shown.append(await bench.cycle(access=access if cycle == delay else None))
        while bench.offer is not None:
            await bench.cycle(claim=True, clear=True)
            await bench.idle(LATENCY)
        return shown[1:]

    pend = 1 | IE | EDGE | 64 << 24
    for delay in range(-1, LATENCY + 1):
        after = 2 * LATENCY + 3 - LATENCY
        undisturbed = [None] * LATENCY + [offers[source]] * after
        for access in (
            Access(SOURCES + 4 * lesser, 1, 1),  # the write by which a kernel asks for a switch
            Access(SOURCES + 4 * lesser, 15, pend),
            Access(SOURCES + 4 * lesser, 2, IE),
            Access(SOURCES + 4 * greater, 8, 255 << 24),
            Access(SOURCES + 4 * greater, 8, 192 << 24),
            Access(SOURCES + 4 * COUNT, 15, 0xFFFFFFFF),
            Access(SOURCES + 4 * source, 15),
        ):
            # Only the lesser source can be offered before the edge.
            shown = await edge_with(access, delay)
            assert [offer for offer in shown if offer != offers[lesser]] == [
                offer for offer, other in zip(undisturbed, shown, strict=True) if other != offers[lesser]
            ]
            assert shown[LATENCY:] == undisturbed[LATENCY:]
        # The written source is offered LATENCY + 1 cycles after the write, and the other one until then.
        shown = await edge_with(Access(SOURCES + 4 * greater, 1, 1), delay)
        behind = max(0, delay + LATENCY + 1)
        expected = (undisturbed[:behind] + [offers[greater]] * len(undisturbed))[: len(undisturbed)]
        assert shown == expected
        # Write the source's own word: either nothing changes, or the source is gone until the next write brings it
        # back.
        assert await edge_with(Access(SOURCES + 4 * source, 8, 128 << 24), delay) == undisturbed
        assert await edge_with(Access(CONFIG, 15, 8), delay) == undisturbed
        shown = await edge_with(Access(SOURCES + 4 * source, 2, 0), delay)
        assert shown == [offer if cycle <= delay else None for cycle, offer in enumerate(undisturbed)]
        await bench.cycle(access=Access(SOURCES + 4 * source, 3, IE))
        await bench.idle(LATENCY + 1)


@cocotb.test()
async def writes_in_every_cycle_hold_nothing_up(dut: Any) -> None:
    """An interrupt is offered as fast and as long as ever while its word, or mcliccfg, is written in every cycle."""
    bench = await start(dut)
    source = COUNT - 1
    word = SOURCES + 4 * source
    await bench.cycle(access=Access(CONFIG, data=8))
    streams = (
        [Access(word, 8, ctl << 24) for ctl in (255, 128)],
        [Access(word, 4, attributes << 16) for attributes in (2, 3)],
        [Access(word, 2, IE)],
        [Access(word, 15, 1 | IE | SHV | EDGE | 255 << 24)],
        [Access(CONFIG, 15, bits) for bits in range(9)],
        [Access(CONFIG, 2, 0)],
    )
    for stream in streams:
        await bench.configure(source, IE, EDGE)
        sets = any(access.byte(0) is not None for access in stream) and stream[0].offset == word
        offers = []
        writes = itertools.cycle(stream)
        for cycle in range(40):
            bench.wires = 1 << source if cycle == 20 and not sets else 0
            offers.append(await bench.cycle(access=bench.waiting or next(writes)))
        first = LATENCY + 1 if sets else LATENCY + 20
        assert [offer is not None for offer in offers] == [cycle >= first for cycle in range(40)]
        await bench.configure(source)
        await bench.idle(LATENCY + 1)


@cocotb.test(skip=COUNT < 2)
async def what_is_turned_on_and_off_holds_up_half_of_the_cycles(dut: Any) -> None:
    """A more important source that stores enable and disable by turns takes half of the cycles at most."""
    bench = await start(dut)
    await bench.configure(0, IE, EDGE)
    await bench.configure(1, EDGE)
    bench.wires = 3
    await bench.idle(LATENCY + 1)
    toggles = itertools.cycle([Access(SOURCES + 4, 2, value) for value in (IE, 0)])
    shown = [await bench.cycle(access=bench.waiting or next(toggles)) for _ in range(40)]
    assert {offer.id for offer in shown if offer is not None} == {0}
    assert all(any(shown[cycle : cycle + LATENCY + 1]) for cycle in range(40 - LATENCY))


@cocotb.test()
async def levels(dut: Any) -> None:
    """Every mnlbits with every ctl: the level, and level 0 is never offered."""
    bench = await start(dut)
    source = COUNT - 1
    bench.wires = 1 << source
    for mnlbits in range(16):
        await bench.cycle(access=Access(CONFIG, data=mnlbits))
        assert await bench.read(CONFIG) == min(mnlbits, 8)
        for ctl in (0, 1, 2, 3, 64, 85, 127, 128, 170, 254, 255):
            await bench.configure(source, IE, ctl=ctl)
            await bench.idle(LATENCY)
            bits = min(mnlbits, 8)
            real = ctl | 255 >> CTL_BITS
            level = real >> (8 - bits) << (8 - bits) | 255 >> bits
            assert await bench.cycle() == (Offer(source, level, False) if level else None)


@cocotb.test()
async def software_sets_and_clears(dut: Any) -> None:
    """The pending bit of an edge-triggered source is read-write whether enabled or not; a level's is the wire."""
    bench = await start(dut)
    word = SOURCES + 4 * (COUNT - 1)
    for enable in (0, IE):
        await bench.configure(COUNT - 1, enable, EDGE)
        for value in (1, 0, 1):
            await bench.cycle(access=Access(word, 1, value))
            await bench.idle(LATENCY)
            assert (await bench.cycle() is not None) == bool(value and enable)
            assert await bench.read(word) & 1 == value
        await bench.configure(COUNT - 1, enable)
        for value in (1, 0):
            await bench.cycle(access=Access(word, 1, value))
            assert await bench.read(word) & 1 == 0
            assert await bench.cycle() is None


@cocotb.test()
async def no_edge_from_a_change_of_trigger(dut: Any) -> None:
    """A wire that does not move is no edge, however the trigger changes."""
    bench = await start(dut)
    source = COUNT - 1
    word = SOURCES + 4 * source
    for wire in (0, 1):
        bench.wires = wire << source
        await bench.idle(2)
        for old in range(4):
            for new in (1, 3):
                await bench.configure(source, IE, old << 17)
                await bench.idle(2)
                await bench.cycle(access=Access(word, 4, new << 17))
                assert await bench.read(word) & 1 == 0
                for _ in range(4):
                    assert await bench.cycle() is None


@cocotb.test(skip=COUNT < 4096)
async def all_sources(dut: Any) -> None:
    """With every source pending, each is offered and claimed once, in the order of ctl and id."""
    bench = await start(dut)
    rng = random.Random(3)
    order = []
    for source in rng.sample(range(COUNT), 40):
        ctl = rng.randrange(256) | 255 >> CTL_BITS
        order.append((ctl, source))
        await bench.configure(source, EDGE, IE, ctl=ctl)
    bench.wires = (1 << COUNT) - 1
    await bench.idle(LATENCY)
    for _, source in sorted(order, reverse=True):
        offer = await bench.cycle(claim=True, clear=True)
        assert offer is not None
        assert offer.id == source
        for _ in range(LATENCY):
            assert await bench.cycle() is None
    assert await bench.cycle() is None


@cocotb.test(skip=not USER or COUNT < 3)
async def modes(dut: Any) -> None:
    """Machine mode goes before user mode, whatever ctl says; a change of mode counts from the next cycle on."""
    bench = await start(dut)
    user, machine = 1, 0
    low = 255 >> CTL_BITS
    await bench.cycle(access=Access(CONFIG, data=8 << 24 | MODES | 8))
    await bench.configure(user, EDGE, IE, ctl=255)
    await bench.configure(machine, EDGE, IE, MACHINE_ATTR, ctl=64)
    await bench.idle(2)
    bench.wires = 1 << user
    await bench.idle(LATENCY)
    assert await bench.cycle() == Offer(user, 255, False, True)
    bench.wires |= 1 << machine
    await bench.idle(LATENCY)
    assert await bench.cycle() == Offer(machine, 64 | low, False)
    # User mode can neither see nor change a source of machine mode, nor the bits that make a source user mode's.
    word = await bench.read(USER_VIEW + SOURCES + 4 * machine)
    assert word == 0
    await bench.write(Access(USER_VIEW + SOURCES + 4 * machine, data=0))
    await bench.write(Access(USER_VIEW + SOURCES + 4 * user, 4, EDGE | MACHINE_ATTR))
    await bench.idle(LATENCY + 1)
    assert await bench.cycle() == Offer(machine, 64 | low, False)
    assert await bench.read(USER_VIEW + SOURCES + 4 * user) >> 22 & 3 == 0
    await bench.write(Access(USER_VIEW + CONFIG, data=0xFFFFFFFF))
    assert await bench.read(CONFIG) == 8 << 24 | MODES | 8
    await bench.cycle(claim=True, clear=True)
    await bench.idle(2 * LATENCY + 1)
    assert await bench.cycle() == Offer(user, 255, False, True)
    # A write to the winner itself takes effect at once.
    await bench.cycle(access=Access(SOURCES + 4 * user, 4, EDGE | MACHINE_ATTR))
    assert await bench.cycle() == Offer(user, 255, False)
    await bench.write(Access(SOURCES + 4 * user, 4, EDGE))
    await bench.cycle(access=Access(CONFIG, 1, 8))
    assert await bench.cycle() == Offer(user, 255, False)
    assert await bench.read(SOURCES + 4 * user) >> 22 & 3 == 3
    await bench.write(Access(CONFIG, 1, MODES | 8))
    assert await bench.read(SOURCES + 4 * user) >> 22 & 3 == 0

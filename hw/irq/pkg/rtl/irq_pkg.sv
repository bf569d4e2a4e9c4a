// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// The contract between a core and its interrupt controller.
//
// CLINT scheme: the controller drives the hardware-set bits of mip; the core masks them with mie, picks the winner by
// fixed priority and needs no handshake, since every source is level-triggered and is cleared at its origin.
// (RISC-V Privileged Architecture, 3.1.9.)
//
// CLIC scheme: the controller offers its most important pending and enabled interrupt, from flip-flops. The core
// decides by level and threshold whether to take it, and claims it in the same cycle.
// - An offer may change in every cycle until it is claimed: a more important interrupt replaces it, and an interrupt
//   that is masked or withdrawn is no longer offered.
// - A claim always means the offer of its own cycle.
// - A source that was claimed with `clear` is not offered again unless it is pending anew. A source that a write has
//   masked, or has made not pending, is not offered from the next cycle on. So no interrupt is claimed twice, and none
//   that was masked before.
// (RISC-V Fast Interrupts, v0.10.)
package irq_pkg;

  /// Interrupt scheme a core is built for.
  typedef enum logic [0:0] {
    IrqClint = 1'b0,
    IrqClic  = 1'b1
  } irq_scheme_e;

  /// Platform lines of the CLINT scheme: mip bits 16 and up.
  parameter int unsigned NumPlatformLines = 16;

  /// Pending interrupts. Each bit is a flip-flop, one cycle behind the controller's inputs.
  typedef struct packed {
    logic [NumPlatformLines-1:0] platform;  // mip[31:16]
    logic                        external;  // mip.MEIP
    logic                        timer;     // mip.MTIP
    logic                        software;  // mip.MSIP
  } clint_pending_t;

  /// The controller's most important interrupt. Level 0 is never offered.
  typedef struct packed {
    logic        valid;
    logic [11:0] id;
    logic [7:0]  level;
    logic        shv;    // selective hardware vectoring
    logic [1:0]  prv;    // privilege that handles it: obi_pkg::PrvMachine or, with user-level interrupts, PrvUser
  } clic_offer_t;

  /// With `valid` the core takes the offer of this cycle.
  typedef struct packed {
    logic valid;
    logic clear;  // with valid: clear the pending bit if the source is edge-triggered
  } clic_claim_t;

endpackage

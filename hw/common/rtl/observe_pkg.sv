// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What a hart shows beside its retirement records (rvfi_pkg): for timelines and debuggers, in simulation or through a
// logic analyser. The core makes it with Cfg.Rvfi. Without Cfg.Rvfi, or if nothing is connected, it takes no gates.
//
// Timing: the values are those of the present cycle: flip-flops as the last clock edge left them, and the requests that
// are made in this cycle.
package observe_pkg;

  /// User interrupts from hart to hart (hw/uintr): what posts and notifications do in this cycle. Other harts see of them
  /// only their accesses to memory. So their order among loads and stores is the order of the grants.
  typedef struct packed {
    logic        word;         // the bus grants an access of a post or a notification; the next four fields describe it
    logic        notified;     // the access is of a notification at this hart, else of the last senduipi that was in EX
    logic [5:0]  atop;         // its operation (obi_pkg)
    logic [31:0] addr;         // its byte address
    logic [31:0] wdata;        // its operand
    logic        joins;        // `vectors` join UIRR
    logic        high;         // with joins: bit n of `vectors` is vector 32 + n, else vector n
    logic [31:0] vectors;
    logic        sends;        // a notification with `vector` leaves this hart for the hart whose mhartid is `to`
    logic [31:0] to;
    logic [7:0]  vector;
    logic        ends;         // the notification at this hart is done: its vectors have joined UIRR, or see `pulse`
    logic        pulse;        // the notification becomes an edge of source `source` of the CLIC
    logic [7:0]  source;
  } posts_t;

  /// A hart, in this cycle.
  typedef struct packed {
    // Interrupts
    logic [7:0]  level;        // CLIC: interrupt level in which the hart runs (mintstatus.mil, with
                               // user-level interrupts in user mode uil); 0 with the CLINT

    // fastirq with spare banks (Cfg.Saver = SaverBanks); zero without. Banks are numbered 0 to NumBanks and used in turn.
    logic [2:0]  bank;         // the bank in which the program reads and writes its registers
    logic [4:0]  held;         // bit b: bank b holds an interrupted context, and an emret may switch back to it
    logic [4:0]  leaving;      // bit b: words of bank b have still to be stored to their frame

    logic        judging;      // user mode runs, and whether it may store a frame at its sp is not known yet
                               // (tz_frame_judge): with fastirq its interrupts wait

    // Frame port of the core (obi_pkg); zero without fastirq
    logic        frame_req;    // a request for a word of a frame, or for a table entry
    logic        frame_we;     // with frame_req: a store, else a load
    logic [31:0] frame_addr;   // with frame_req: its byte address
    logic        frame_gnt;    // the bus takes the request in this cycle

    posts_t      posts;        // zero without user interrupts from hart to hart

    // Debuggers
    logic [1:0]  priv;         // privilege mode of the hart: 3 machine, 0 user
    logic [31:0] next_pc;      // address of the instruction behind the one in EX
    logic        next_table;   // next_pc is the address of the vector table entry that holds this address
    logic        idle;         // no instruction has taken effect without having retired: none is in WB, no split access
                               // is between its halves, no record of a trap is due
    logic        exists;       // answer to inspect_t: the hart has the register
    logic [31:0] value;        // answer to inspect_t: value of the register
  } observe_t;

  /// A debugger's question for a register. `observe_t.exists` and `.value` answer it in the same cycle, with the value before
  /// the next clock edge; what WB writes at that edge is in the retirement record. The question uses the read ports, which
  /// the instructions in ID and EX need. So the clock must stand while `valid` is high.
  ///
  /// A simulator may let the clock stand while the hart waits in WFI and nothing is on its way. The edge with which it goes
  /// on has `passed`: the cycles that were left out, which mcycle and the time stamps count, too.
  typedef struct packed {
    logic        valid;
    logic        csr;          // 1: a CSR; 0: an integer register
    logic [11:0] number;       // number of the register; bits 4:0 for an integer register
    logic [63:0] passed;       // cycles left out before the edge that ends this one; else zero
  } inspect_t;

endpackage

// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// What is shown of a hart beside its retirement records (rvfi_pkg): for timelines and debuggers, of a simulation or behind
// a logic analyser. The core builds it with Cfg.Rvfi; without, and where nobody is connected, it costs nothing.
//
// Values are those of the cycle: state in flip-flops, as the last clock edge left it, and the requests of the cycle itself.
package observe_pkg;

  /// User interrupts from hart to hart (hw/uintr): what posts and notifications do in this cycle. All that others can see
  /// of them is a word that is granted; so the order of grants orders them as it orders loads and stores.
  typedef struct packed {
    logic        word;         // the bus grants an access of a post or a notification ...
    logic        notified;     // ... of a notification at this hart, else of the last senduipi that was in EX ...
    logic [5:0]  atop;         // ... this operation (obi_pkg) ...
    logic [31:0] addr;         // ... at this byte address ...
    logic [31:0] wdata;        // ... with this operand
    logic        joins;        // these vectors join UIRR ...
    logic        high;         // ... 32 to 63, else 0 to 31
    logic [31:0] vectors;
    logic        sends;        // a notification leaves, to hart `to` with this vector (as soon as there is room)
    logic [31:0] to;
    logic [7:0]  vector;
    logic        ends;         // the notification at this hart is done with: it was joined, or ...
    logic        pulse;        // ... was an edge of source `source`
    logic [7:0]  source;
  } posts_t;

  /// A hart, in this cycle.
  typedef struct packed {
    // Interrupts
    logic [7:0]  level;        // CLIC: interrupt level in which the hart runs (mintstatus.mil, with
                               // user-level interrupts in user mode uil); 0 with the CLINT

    // fastirq with spare banks (Cfg.Saver = SaverBanks); zero without. Banks are numbered 0 to NumBanks and used in turn.
    logic [2:0]  bank;         // the bank in which the program reads and writes its registers
    logic [4:0]  held;         // bit b: bank b holds an interrupted context, and emret may switch back to it
    logic [4:0]  leaving;      // bit b: words of bank b have still to leave for their frame

    // Frame port of the core, as a bus (obi_pkg), whatever is behind it; zero without fastirq
    logic        frame_req;    // a word of a frame, or a table entry, is asked for ...
    logic        frame_we;     // ... it is stored, else loaded ...
    logic [31:0] frame_addr;   // ... at this byte address ...
    logic        frame_gnt;    // ... and the bus takes the request in this cycle

    posts_t      posts;        // zero without user interrupts from hart to hart

    // Debuggers
    logic [1:0]  priv;         // privilege mode of the hart: 3 machine, 0 user
    logic [31:0] next_pc;      // address of the instruction behind the one in EX ...
    logic        next_table;   // ... or, if set, of the vector table entry that holds this address
    logic        idle;         // nothing of an instruction that has not retired has happened: no instruction in WB, no
                               // split access between its halves, no record of a trap due
    logic        exists;       // answer to inspect_t: the hart has the register ...
    logic [31:0] value;        // ... and this is its value
  } observe_t;

  /// A debugger's question for a register, answered by `observe_t.exists` and `.value` in the same cycle, with the value
  /// before the edge that ends it; what WB writes at that edge is in the retirement record. It takes the read ports away
  /// from the instructions in ID and EX. So the clock must stand while `valid` is high: no edge may come.
  typedef struct packed {
    logic        valid;
    logic        csr;          // of a CSR, else of an integer register
    logic [11:0] number;       // its number; of an integer register bits 4:0
  } inspect_t;

endpackage

// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Bus types: the subset of OBI (OpenHW Open Bus Interface v1.6) that Trapeze uses.
//
// Request phase: `req` and the address-phase payload stay stable until the cycle in which `gnt` is high. Response
// phase: one `rvalid` per granted request, reads and writes alike, in order, at the earliest one cycle after the grant.
// There is no back-pressure on responses (no `rready`). `err` and `exokay` are sampled with `rvalid`.
package obi_pkg;

  // Not every user of the package needs all of these.
  // verilator lint_off UNUSEDPARAM

  // Values of `prv`: RISC-V privilege levels, and debug mode (for which OBI has a signal of its own, `dbg`).
  parameter logic [1:0] PrvUser    = 2'b00;
  parameter logic [1:0] PrvDebug   = 2'b10;  // machine mode's rights and more: memory protection does not apply
  parameter logic [1:0] PrvMachine = 2'b11;

  // Values of `atop` (OBI v1.6, table of atomic operations): bit 5 is set in all but plain accesses.
  parameter logic [5:0] AtopNone = 6'h00;
  parameter logic [5:0] AtopLr   = 6'h22;  // load-reserved
  parameter logic [5:0] AtopSc   = 6'h23;  // store-conditional
  parameter logic [5:0] AtopSwap = 6'h21;
  parameter logic [5:0] AtopAdd  = 6'h20;
  parameter logic [5:0] AtopXor  = 6'h24;
  parameter logic [5:0] AtopOr   = 6'h28;
  parameter logic [5:0] AtopAnd  = 6'h2c;
  parameter logic [5:0] AtopMin  = 6'h30;
  parameter logic [5:0] AtopMax  = 6'h34;
  parameter logic [5:0] AtopMinu = 6'h38;
  parameter logic [5:0] AtopMaxu = 6'h3c;
  // Two codes that OBI has not: for user interrupts from hart to hart
  parameter logic [5:0] AtopLoad = 6'h25;  // a load that only memories answer
  parameter logic [5:0] AtopMark = 6'h29;  // sets bit 0 if bits 1 and 0 are zero

  // Values of `mid.port`: the ports of a hart.
  parameter logic [1:0] PortData  = 2'd0;
  parameter logic [1:0] PortInstr = 2'd1;
  parameter logic [1:0] PortFrame = 2'd2;

  /// Harts that a bus can tell apart.
  parameter int unsigned MaxHarts = 16;
  // verilator lint_on UNUSEDPARAM

  /// The initiator of a request, 6 bits.
  typedef struct packed {
    logic [3:0] hart;  // number of the hart: its place in the list of the SoC, not its mhartid
    logic [1:0] port;  // its port: PortData, PortInstr, PortFrame
  } obi_mid_t;

  /// Manager to subordinate, 84 bits.
  typedef struct packed {
    logic [1:0]  prv;    // privilege of the access (with mstatus.MPRV not that of the hart)
    obi_mid_t    mid;    // initiator; a core leaves it zero, its tile sets it
    logic [5:0]  atop;   // atomic operation; AtopNone: a plain access, as `we` says
    logic        req;    // request valid
    logic        we;     // 1: write. Of atomic operations AtopLr, AtopLoad and an AtopSc that is to fail have 0
    logic [3:0]  be;     // byte enables, byte lane n is wdata[8n+7:8n]
    logic [31:0] addr;   // byte address; bits 1:0 are zero, `be` says which bytes
    logic [31:0] wdata;  // write data
  } obi_req_t;

  /// Subordinate to manager, 36 bits.
  typedef struct packed {
    logic        exokay; // with rvalid and AtopSc: the store has been made; with AtopLr: the word is reserved
    logic        gnt;    // request accepted in this cycle
    logic        rvalid; // response valid in this cycle
    logic        err;    // with rvalid: the access failed
    logic [31:0] rdata;  // with rvalid and a read: data, lanes outside `be` are undefined
  } obi_rsp_t;

  /// A plain access of machine mode without an initiator.
  function automatic obi_req_t machine_access(logic req, logic we, logic [3:0] be, logic [31:0] addr,
                                              logic [31:0] wdata);
    machine_access = '{prv: PrvMachine, mid: '0, atop: AtopNone, req: req, we: we, be: be, addr: addr, wdata: wdata};
  endfunction

  /// A request with its initiator.
  function automatic obi_req_t from_initiator(obi_req_t req, logic [3:0] hart, logic [1:0] port);
    from_initiator     = req;
    from_initiator.mid = '{hart: hart, port: port};
  endfunction

  /// New value of a word after an AMO (an `atop` but AtopNone, AtopLr, AtopSc, AtopLoad).
  function automatic logic [31:0] amo_result(logic [5:0] atop, logic [31:0] old, logic [31:0] operand);
    logic less;  // bit 3: without sign
    less = (old < operand) ^ (!atop[3] && (old[31] != operand[31]));
    unique case (atop)
      AtopAdd:           return old + operand;
      AtopXor:           return old ^ operand;
      AtopOr:            return old | operand;
      AtopAnd:           return old & operand;
      AtopMin, AtopMinu: return less ? old : operand;
      AtopMax, AtopMaxu: return less ? operand : old;
      AtopMark:          return old | 32'(old[1:0] == '0);
      default:           return operand;  // AtopSwap
    endcase
  endfunction

endpackage

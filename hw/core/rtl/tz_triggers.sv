// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Triggers (RISC-V Debug Specification 1.0, chapter 5, Sdtrig): hardware breakpoints and watchpoints, and their CSRs tselect,
// tdata1, tdata2 and tinfo. All `Triggers` triggers are alike.
//
// mcontrol6 looks at the instruction in EX, before it executes: at its address, and at the bytes that a load or store is
// about to access. `trigger_o` makes it an exception of that instruction (tz_trap_select): a breakpoint (action 0), or the
// begin of debug mode (action 1).
//
// The other types only begin debug mode, so they exist with Debug alone: icount counts instructions down, itrigger and
// etrigger look at traps, tmexttrigger at `signal_i`. They ask for debug mode (`want_o`) as a debug module does.
//
// After reset, and after a write that asks for what is not there, a trigger is an mcontrol6 of no mode.
module tz_triggers
  import isa_pkg::*;
  import tz_core_pkg::*;
#(
  parameter int unsigned Triggers = 4,  // 1 to 8
  parameter bit          Debug    = 1'b0
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // CSR instruction in EX
  input  logic         write_i,       // the instruction writes csr_i in this cycle
  input  logic [11:0]  csr_i,
  input  logic [31:0]  wdata_i,
  output logic         exists_o,
  output logic [31:0]  rdata_o,

  // Instruction in EX
  input  logic         ex_valid_i,
  input  id_t          ex_i,
  input  logic         access_i,      // a load or store, whose first byte is at addr_i: about to access memory
  input  logic [31:0]  addr_i,
  input  logic         ex_fire_i,     // it leaves EX, completed
  input  logic [1:0]   priv_i,
  input  logic         ie_i,          // mstatus.MIE
  input  logic         mode_i,        // the hart is in debug mode

  input  to_triggers_t trap_i,
  input  logic         signal_i,      // TM external trigger input 0

  output trigger_t     trigger_o /*verilator split_var*/,
  output logic         want_o         // debug mode shall begin before the next instruction
);

  typedef enum logic [3:0] {
    TypeIcount    = 4'd3,
    TypeItrigger  = 4'd4,
    TypeEtrigger  = 4'd5,
    TypeMcontrol6 = 4'd6,
    TypeTmext     = 4'd7
  } type_e;

  // tdata1 of the types: bits that software reads back, and where the bits are that hardware looks at.
  localparam logic [31:0] Off         = {TypeMcontrol6, 28'b0};
  localparam logic [26:0] IcountBits  = 27'h1ff_ff41;  // hit, count, m, pending, u, action
  localparam logic [26:0] TrapBits    = 27'h400_0241;  // hit, m, u, action
  localparam logic [26:0] TmextBits   = 27'h400_0041;  // hit, select of input 0, action
  localparam logic [26:0] Mcontrol6Bits = 27'h040_09cf;  // hit0, chain, match, m, u, execute, store, load
  localparam int unsigned Dmode = 27;
  // mcontrol6
  localparam int unsigned Hit0 = 22, SizeLsb = 16, Action = 12, Chain = 11, MatchLsb = 7, M6 = 6, U6 = 3;
  localparam int unsigned Execute = 2, Store = 1, Load = 0;
  // the others
  localparam int unsigned Hit = 26, IcountHit = 24, CountMsb = 23, CountLsb = 10, M = 9, Pending = 8, U = 6;
  localparam int unsigned Select0 = 6;
  typedef enum logic [1:0] {MatchEqual, MatchNapot, MatchGe, MatchLt} match_e;  // mcontrol6.match

  localparam int unsigned IndexWidth = (Triggers > 1) ? $clog2(Triggers) : 1;
  localparam logic [31:0] Info = 32'h0100_0040 | (Debug ? 32'h0000_00b8 : 32'h0);  // version 1; types

  logic [Triggers-1:0][31:0] tdata1_d, tdata1_q, tdata2_q;
  logic [IndexWidth-1:0]     select_q;

  // ---------------------------------------------------------------- CSRs
  always_comb begin
    exists_o = 1'b1;
    unique case (csr_i)
      CsrTselect: rdata_o = 32'(select_q);
      CsrTdata1:  rdata_o = tdata1_q[select_q];
      CsrTdata2:  rdata_o = tdata2_q[select_q];
      CsrTinfo:   rdata_o = Info;
      default: begin
        exists_o = 1'b0;
        rdata_o  = '0;
      end
    endcase
  end

  // What tdata1 of the trigger selected becomes when it is written. Rules about chains keep a program from having a say in a
  // debugger's triggers: Sdtrig, mcontrol6.chain.
  logic        after_chain, before_dmode, may_write, dmode;
  logic [31:0] legal;
  logic [26:0] given;
  always_comb begin
    after_chain  = 1'b0;
    before_dmode = 1'b0;
    for (int unsigned t = 1; t < Triggers; t++) begin
      if (select_q == IndexWidth'(t)) begin
        after_chain = tdata1_q[t-1][31:28] == TypeMcontrol6 && tdata1_q[t-1][Chain] && !tdata1_q[t-1][Dmode];
      end
      if (select_q == IndexWidth'(t - 1)) before_dmode = tdata1_q[t][Dmode];
    end
    dmode     = Debug && mode_i && wdata_i[Dmode];
    may_write = mode_i || !tdata1_q[select_q][Dmode];
    given     = '0;
    unique case (wdata_i[31:28])
      TypeIcount:   given = wdata_i[26:0] & IcountBits;
      TypeItrigger, TypeEtrigger: given = wdata_i[26:0] & TrapBits;
      TypeTmext:    given = wdata_i[26:0] & TmextBits;
      default: ;
    endcase
    legal        = Off;
    legal[Dmode] = dmode;
    if (wdata_i[31:28] == TypeMcontrol6) begin
      legal[26:0] = wdata_i[26:0] & Mcontrol6Bits;
      if (wdata_i[MatchLsb+2+:2] != '0) legal[MatchLsb+:2] = '0;
      if (!wdata_i[SizeLsb+2]) legal[SizeLsb+:2] = wdata_i[SizeLsb+:2];
      legal[Action] = dmode && (wdata_i[Action+:4] == 4'd1);
      if (select_q == IndexWidth'(Triggers - 1) || (before_dmode && !dmode)) legal[Chain] = 1'b0;
    end else if (dmode && wdata_i[5:0] == 6'd1 &&
                 (wdata_i[31:28] inside {TypeIcount, TypeItrigger, TypeEtrigger, TypeTmext})) begin
      legal = {wdata_i[31:28], 1'b1, given};
    end
  end

  // ---------------------------------------------------------------- mcontrol6: the instruction in EX
  // Bytes that the access reaches, in its first word and in the next one.
  logic [3:0] size_be;
  logic [1:0] last;                    // its size in bytes, less one
  logic [7:0] lanes;
  logic       loads, stores;
  assign loads  = access_i && (ex_i.ctrl.kind == KindLoad ||
                               !(ex_i.ctrl.atop inside {obi_pkg::AtopNone, obi_pkg::AtopSc}));
  assign stores = access_i && (ex_i.ctrl.kind == KindStore);
  always_comb begin
    unique case (ex_i.ctrl.funct3[1:0])
      2'b00:   {size_be, last} = {4'b0001, 2'd0};
      2'b01:   {size_be, last} = {4'b0011, 2'd1};
      default: {size_be, last} = {4'b1111, 2'd3};
    endcase
  end
  assign lanes = {4'b0, size_be} << addr_i[1:0];

  logic executes;
  assign executes = ex_valid_i && !(ex_i.fault && ex_i.fault_table);

  logic [Triggers-1:0] meets_pc, meets;  // by the instruction's address alone; by that, or by its access
  for (genvar t = 0; t < Triggers; t++) begin : gen_match
    logic [31:0] value, mask;
    logic [31:2] ahead;                // the word before the range
    logic [3:0]  range_lanes;
    match_e      op;
    logic [1:0]  size;
    logic        on, at_pc, at_data, here, in_first, in_second, pc_below, word_below, exec_size, data_size;
    assign value = tdata2_q[t];
    assign op    = match_e'(tdata1_q[t][MatchLsb+:2]);
    assign size  = tdata1_q[t][SizeLsb+:2];
    assign on    = tdata1_q[t][31:28] == TypeMcontrol6 && !mode_i &&
                   ((priv_i == PrivM) ? tdata1_q[t][M6] : tdata1_q[t][U6]);

    // The range of equal and napot begins at value & ~mask, those of ge and lt begin and end at `value`. range_lanes: the
    // bytes of the word at that place that are in the range. An access meets it there with bytes of its first word, or
    // with those of its second word, if its first word is the one ahead of it; with ge and lt also elsewhere.
    always_comb begin
      mask = '0;
      if (op == MatchNapot) begin
        mask[0] = 1'b1;
        for (int unsigned b = 1; b < 32; b++) mask[b] = mask[b-1] && value[b-1];
      end
      unique case (op)
        MatchGe: range_lanes = 4'b1111 << value[1:0];
        MatchLt: range_lanes = ~(4'b1111 << value[1:0]);
        default: range_lanes = mask[1] ? 4'b1111 : mask[0] ? (value[1] ? 4'b1100 : 4'b0011) : 4'b0001 << value[1:0];
      endcase
    end
    assign ahead      = (value[31:2] & ~mask[31:2]) - 30'd1;
    assign here       = ((addr_i[31:2] ^ value[31:2]) & ~mask[31:2]) == '0;
    assign in_first   = here && (lanes[3:0] & range_lanes) != '0;
    assign in_second  = addr_i[31:2] == ahead && (lanes[7:4] & range_lanes) != '0;
    assign pc_below   = ex_i.pc < value;
    assign word_below = addr_i[31:2] < value[31:2];
    always_comb begin
      unique case (op)
        MatchGe: begin
          at_pc   = !pc_below;
          at_data = (!word_below && !here) || in_first || in_second;
        end
        MatchLt: begin
          at_pc   = pc_below;
          at_data = word_below || in_first;
        end
        default: begin
          at_pc   = ((ex_i.pc ^ value) & ~mask) == '0;
          at_data = in_first || in_second;
        end
      endcase
      unique case (size)
        2'd0:    {exec_size, data_size} = 2'b11;
        2'd1:    {exec_size, data_size} = {1'b0, last == 2'd0};
        2'd2:    {exec_size, data_size} = {!ex_i.fault && ex_i.insn[1:0] != 2'b11, last == 2'd1};
        default: {exec_size, data_size} = {!ex_i.fault && ex_i.insn[1:0] == 2'b11, last == 2'd3};
      endcase
    end
    assign meets_pc[t] = on && executes && tdata1_q[t][Execute] && at_pc && exec_size;
    assign meets[t]    = meets_pc[t] || (on && ((loads && tdata1_q[t][Load]) || (stores && tdata1_q[t][Store])) &&
                                         at_data && data_size);
  end

  // Chains: a trigger fires if all before it in its chain meet the instruction, too. The last one's action counts. A
  // breakpoint would destroy mepc where machine mode has interrupts off: none there (Sdtrig, "Native Triggers", solution 1).
  logic [Triggers-1:0] chained, debugs, fires_pc, fires, hit;
  for (genvar t = 0; t < Triggers; t++) begin : gen_chain
    assign chained[t] = tdata1_q[t][31:28] == TypeMcontrol6 && tdata1_q[t][Chain];
    assign debugs[t]  = Debug && tdata1_q[t][Action];
  end
  function automatic logic [Triggers-1:0] chain_ends(logic [Triggers-1:0] met, logic [Triggers-1:0] links,
                                                     logic [Triggers-1:0] may);
    logic whole;
    whole      = 1'b1;
    chain_ends = '0;
    for (int unsigned t = 0; t < Triggers; t++) begin
      whole = whole && met[t];
      if (!links[t]) begin
        chain_ends[t] = whole && may[t];
        whole         = 1'b1;
      end
    end
  endfunction
  logic [Triggers-1:0] may_fire;
  assign may_fire = debugs | {Triggers{priv_i != PrivM || ie_i}};
  assign fires_pc = chain_ends(meets_pc, chained, may_fire);
  assign fires    = chain_ends(meets, chained, may_fire);
  // hit: those that fire, and what is chained before them.
  always_comb begin
    hit = fires;
    for (int t = int'(Triggers) - 2; t >= 0; t--) begin
      if (chained[t]) hit[t] = hit[t+1];
    end
  end
  // Each is decided as late as it must be: `fetch` does not depend on the address of an access.
  assign trigger_o = '{fetch: fires_pc != '0, any: fires != '0, debug: (fires & debugs) != '0};

  // ---------------------------------------------------------------- icount, traps, the signal
  logic [Triggers-1:0] counts;         // icount: this mode's instructions count
  logic [Triggers-1:0] due;            // icount: debug mode shall begin before the next instruction
  logic [Triggers-1:0] caught;         // itrigger, etrigger, tmexttrigger: what they wait for happens in this cycle
  logic                event_q;        // something was caught: debug mode shall begin
  if (Debug) begin : gen_events
    for (genvar t = 0; t < Triggers; t++) begin : gen_trigger
      logic from, bit_set;
      assign from    = (trap_i.from == PrivM) ? tdata1_q[t][M] : tdata1_q[t][U];
      assign bit_set = !trap_i.beyond && tdata2_q[t][trap_i.code];
      always_comb begin
        counts[t] = 1'b0;
        caught[t] = 1'b0;
        unique case (tdata1_q[t][31:28])
          TypeIcount:   counts[t] = !mode_i && ((priv_i == PrivM) ? tdata1_q[t][M] : tdata1_q[t][U]);
          TypeItrigger: caught[t] = !mode_i && trap_i.interrupts && from && bit_set;
          TypeEtrigger: caught[t] = !mode_i && trap_i.excepts && from && bit_set;
          TypeTmext:    caught[t] = !mode_i && signal_i && tdata1_q[t][Select0];
          default: ;
        endcase
        due[t] = counts[t] && tdata1_q[t][Pending];
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) event_q <= 1'b0;
      else event_q <= (event_q || caught != '0) && !trap_i.begins && !mode_i;
    end
    assign want_o = event_q || due != '0;
  end else begin : gen_no_events
    assign {counts, due, caught, event_q, want_o} = '0;
    logic unused;
    assign unused = ^{signal_i, event_q};
  end

  // ---------------------------------------------------------------- next state
  // icount: an instruction counts when it leaves EX; so does a trap, unless it is that of an instruction which had left EX
  // before.
  function automatic logic [31:0] count_down(logic [31:0] data1, logic once);
    count_down = data1;
    if (once && data1[CountMsb:CountLsb] != '0) begin
      count_down[CountMsb:CountLsb] = data1[CountMsb:CountLsb] - 14'd1;
      if (data1[CountMsb:CountLsb] == 14'd1) count_down[Pending] = 1'b1;
    end
  endfunction
  always_comb begin
    tdata1_d = tdata1_q;
    for (int unsigned t = 0; t < Triggers; t++) begin
      if (trap_i.fires && hit[t]) tdata1_d[t][Hit0] = 1'b1;
      if (caught[t]) tdata1_d[t][Hit] = 1'b1;
      if (counts[t]) tdata1_d[t] = count_down(count_down(tdata1_d[t], ex_fire_i), trap_i.counts);
      if (due[t] && trap_i.begins) {tdata1_d[t][IcountHit], tdata1_d[t][Pending]} = 2'b10;
    end
    if (write_i && csr_i == CsrTdata1 && may_write && !(after_chain && dmode)) tdata1_d[select_q] = legal;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      tdata1_q <= {Triggers{Off}};
      tdata2_q <= '0;
      select_q <= '0;
    end else begin
      tdata1_q <= tdata1_d;
      if (write_i && csr_i == CsrTdata2 && may_write) tdata2_q[select_q] <= wdata_i;
      if (write_i && csr_i == CsrTselect && wdata_i < Triggers) select_q <= wdata_i[IndexWidth-1:0];
    end
  end

  logic unused;
  assign unused = ^{ex_i, trap_i};

endmodule

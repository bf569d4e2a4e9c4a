// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Bus matrix: every manager reaches every subordinate, different subordinates in the same cycle, with no cycle added.
//
// Arbitration: of the managers with a request for a subordinate the one with the lowest number wins. A request that has
// reached a subordinate and was not granted stays there until its grant. A subordinate must answer in the cycle after
// its grant (one that needs longer delays the grant), so responses reach each manager in order.
//
// Turns: a write of the last manager (the lowest priority) that has been refused MaxRefused times goes before all
// managers but manager 0. So a manager that has a request in every cycle cannot lock it out. Reads of the last manager
// have no turns.
//
// Errors: an address in no region, and a request of a memory-only manager or an atomic operation outside memory, is
// granted at once and answered with `err` in the next cycle. So is a request of a program for a subordinate of DebugOnly.
//
// Default: the last subordinate takes what is in no region of the others; its own `Base` and `Mask` say nothing.
//
// Late: the request of a memory-only manager (fetches, frames) reaches a subordinate of `Late` one cycle later, from a
// flip-flop. This breaks a combinational loop where harts share a subordinate. There the grant of one hart depends on
// the requests of the others in the same cycle. And a core's fetch depends on its data grant in the same cycle, because
// an interrupt is taken as soon as the access before it is granted. Without the flip-flop the loop would be: data grant
// of core A, its fetch, data grant of core B, its fetch, data grant of core A.
module tz_xbar #(
  parameter int unsigned NumManagers = 2,
  parameter int unsigned NumSubordinates = 2,
  parameter logic [NumSubordinates-1:0][31:0] Base = '0,      // first address, a multiple of the size
  parameter logic [NumSubordinates-1:0][31:0] Mask = '0,      // address bits that decode it: ~(size - 1)
  parameter logic [NumSubordinates-1:0]       IsMemory = '0,  // has no side effects: can be fetched from
  parameter logic [NumManagers-1:0]           MemoryOnly = '0, // this manager reaches memories and nothing else
  parameter logic [NumSubordinates-1:0]       Late = '0,      // memory-only managers ask for it one cycle later
  parameter logic [NumSubordinates-1:0]       DebugOnly = '0, // debug mode alone reaches it (obi_pkg::PrvDebug)
  parameter bit          Default = 0,   // the last subordinate takes every address that is in no other region
  parameter bit          Atomics = 0,   // managers make atomic operations; these reach memories only
  parameter int unsigned MaxRefused = 0  // cycles in which a write of the last of three or more waits; 0: no turns
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  obi_pkg::obi_req_t [NumManagers-1:0]     mgr_req_i,
  output obi_pkg::obi_rsp_t [NumManagers-1:0]     mgr_rsp_o,
  output obi_pkg::obi_req_t [NumSubordinates-1:0] sub_req_o,
  input  obi_pkg::obi_rsp_t [NumSubordinates-1:0] sub_rsp_i
);

  // Highest-numbered manager that can reach a subordinate.
  function automatic int last_manager(bit is_memory);
    last_manager = 0;
    for (int m = 1; m < int'(NumManagers); m++) begin
      if (is_memory || !MemoryOnly[m]) last_manager = m;
    end
  endfunction

  logic [NumManagers-1:0][NumSubordinates-1:0] hit;     // the request is for this subordinate
  logic [NumSubordinates-1:0][NumManagers-1:0] ask;     // managers that want the subordinate
  logic [NumSubordinates-1:0][NumManagers-1:0] win;     // the one that gets it
  logic [NumManagers-1:0][NumSubordinates-1:0] accept;  // request granted in this cycle

  // Subordinates that have a region.
  localparam int unsigned NumRegions = NumSubordinates - int'(Default);

  for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_decode
    logic [NumSubordinates-1:0] match;  // the address is the subordinate's
    for (genvar s = 0; s < int'(NumRegions); s++) begin : gen_match
      assign match[s] = (mgr_req_i[m].addr & Mask[s]) == Base[s];
    end
    if (Default) begin : gen_default
      assign match[NumRegions] = match[NumRegions-1:0] == '0;
    end
    for (genvar s = 0; s < int'(NumSubordinates); s++) begin : gen_region
      if (MemoryOnly[m] && !IsMemory[s]) begin : gen_no_path
        assign hit[m][s] = 1'b0;
        assign ask[s][m] = 1'b0;
        logic unused;
        assign unused = match[s];
      end else begin : gen_path
        assign hit[m][s] = match[s] && (!Atomics || IsMemory[s] || mgr_req_i[m].atop == obi_pkg::AtopNone) &&
                           (!DebugOnly[s] || mgr_req_i[m].prv == obi_pkg::PrvDebug);
        if (MemoryOnly[m] && Late[s]) begin : gen_late
          logic late_q;  // the request was there in the last cycle and was not granted, so it is still there
          always_ff @(posedge clk_i or negedge rst_ni) begin
            if (!rst_ni) late_q <= 1'b0;
            else late_q <= mgr_req_i[m].req && hit[m][s] && !mgr_rsp_o[m].gnt;
          end
          assign ask[s][m] = late_q;
`ifndef SYNTHESIS
          StillThere_A: assert property (@(posedge clk_i) !(late_q && !(mgr_req_i[m].req && hit[m][s])));
`endif
        end else begin : gen_at_once
          assign ask[s][m] = mgr_req_i[m].req && hit[m][s];
        end
      end
      assign accept[m][s] = win[s][m] && sub_rsp_i[s].gnt;
    end
  end

  // The turn of the last manager depends on flip-flops only: no request waits for the address of another one.
  localparam int unsigned Last = NumManagers - 1;
  logic turn;
  if (MaxRefused > 0 && NumManagers > 2) begin : gen_turn
    localparam int unsigned CountW = $clog2(MaxRefused + 1);
    logic [CountW-1:0] refused_d, refused_q;
    logic              refused;
    assign refused = mgr_req_i[Last].req && mgr_req_i[Last].we && !mgr_rsp_o[Last].gnt;
    always_comb begin
      refused_d = refused_q;
      if (!refused) refused_d = '0;
      else if (!turn) refused_d = refused_q + 1'b1;
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) refused_q <= '0;
      else refused_q <= refused_d;
    end
    assign turn = (refused_q == CountW'(MaxRefused));

`ifndef SYNTHESIS
    // The last manager keeps its turn while it waits for a grant. After the grant it starts to count again.
    OneTurn_A: assert property (@(posedge clk_i) !(turn && !(mgr_req_i[Last].req && mgr_req_i[Last].we)));
`endif
  end else begin : gen_no_turn
    assign turn = 1'b0;
  end

  for (genvar s = 0; s < int'(NumSubordinates); s++) begin : gen_sub
    logic [NumManagers-1:0] first, held_q;

    always_comb begin
      first = ask[s] & (~ask[s] + 1'b1);
      if (turn && ask[s][Last] && !ask[s][0]) first = NumManagers'(1) << Last;
    end
    assign win[s] = |held_q ? held_q : first;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) held_q <= '0;
      else held_q <= sub_rsp_i[s].gnt ? '0 : win[s];
    end

    // The payload of the last manager that reaches this subordinate is selected without a condition: it is the default,
    // which counts only if that manager wins.
    localparam int LastPath = last_manager(IsMemory[s]);
    for (genvar m = 0; m <= LastPath; m++) begin : gen_payload
      obi_pkg::obi_req_t req;  // of the first winner from manager m on
      if (m == LastPath) begin : gen_last
        assign req = mgr_req_i[m];
      end else begin : gen_before
        assign req = win[s][m] ? mgr_req_i[m] : gen_payload[m+1].req;
      end
    end
    always_comb begin
      sub_req_o[s]     = gen_payload[0].req;
      sub_req_o[s].req = |win[s];
    end

`ifndef SYNTHESIS
    // In the turn of the last manager only manager 0, or a manager whose request is at the subordinate already, is
    // granted before it.
    MaxRefused_A: assert property (@(posedge clk_i)
      !(turn && ask[s][Last] && !win[s][Last] && !ask[s][0] && held_q == '0));
`endif
  end

  for (genvar m = 0; m < int'(NumManagers); m++) begin : gen_mgr
    logic miss, rvalid_q, miss_q, err, exokay;
    logic [NumSubordinates-1:0] sel_q;
    logic [31:0] rdata;

    assign miss = mgr_req_i[m].req && hit[m] == '0;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        rvalid_q <= 1'b0;
        miss_q   <= 1'b0;
        sel_q    <= '0;
      end else begin
        rvalid_q <= miss || |accept[m];
        miss_q   <= miss;
        sel_q    <= accept[m];
      end
    end

    always_comb begin
      err    = miss_q;
      exokay = 1'b0;
      rdata  = '0;
      for (int unsigned s = 0; s < NumSubordinates; s++) begin
        if (IsMemory[s] || !MemoryOnly[m]) begin
          err    |= sel_q[s] && sub_rsp_i[s].err;
          exokay |= sel_q[s] && sub_rsp_i[s].exokay;
          rdata  |= sel_q[s] ? sub_rsp_i[s].rdata : '0;
        end
      end
    end

    assign mgr_rsp_o[m] = '{exokay: exokay, gnt: miss || |accept[m], rvalid: rvalid_q, err: err, rdata: rdata};
  end

  // The cycle of the response is known from the grant.
  logic [NumSubordinates-1:0] unused_rvalid;
  for (genvar s = 0; s < int'(NumSubordinates); s++) begin : gen_unused
    assign unused_rvalid[s] = sub_rsp_i[s].rvalid;
  end

endmodule

// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Instruction fetch (IF): keeps the OBI instruction port busy with consecutive words, aligns instructions at half-word
// addresses and hands the next one to ID, at the earliest in the cycle of its response. A redirect goes out on the bus
// in its own cycle, so the target is in ID one cycle later (zero-wait memory).
//
//            redirect ──────┐
//                           v
//   request address ──> instr_req ~~memory~~> instr_rsp ──> FIFO (3 words) ──> aligner ──> ID
//
// `fetch_o.pc` always names the next instruction in program order, whether it has arrived or not.
//
// With CLIC vectoring a redirect goes through a table entry: the word at the redirect's address is not an instruction, but
// the address of the handler, at which fetching goes on one cycle after the word has come. Until then `fetch_o.from_table`
// is set and `fetch_o.pc` is the address of the table entry.
module tz_fetch #(
  parameter logic [31:0] ResetVector = 32'h8000_0000,
  parameter bit          ExtC        = 1'b1,
  parameter bit          Rvfi        = 1'b1   // keep the cycle of each fetch request
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  output obi_pkg::obi_req_t instr_req_o,
  input  obi_pkg::obi_rsp_t instr_rsp_i,

  input  logic        redirect_i,       // fetching goes on at redirect_pc_i; all that was fetched before is dropped
  input  logic        aim_i,            // only redirect_pc_i may be requested: high with redirect_i, and already
                                        // before it while the jump in ID waits for EX to be ready
  input  logic [31:0] redirect_pc_i,
  input  logic        redirect_table_i, // redirect_pc_i is the address of a table entry

  input  logic [1:0]  prv_i,            // privilege of the fetch; in the cycle of a redirect that of its target

  output logic        valid_o,          // an instruction (or a fetch fault) is offered
  input  logic        ready_i,          // ID takes the instruction in this cycle
  output tz_core_pkg::fetch_t fetch_o,

  input  logic [31:0] cycle_i           // cycle counter, for the stamp
);

  localparam int unsigned Depth = 3;  // words: one in use, one arriving, one to cover the grant

  typedef struct packed {
    logic        err;
    logic [31:0] data;
  } word_t;

  word_t [Depth-1:0] fifo_d, fifo_q;
  logic [1:0] count_d, count_q;          // words in the FIFO
  logic [1:0] outs_d, outs_q;            // requests granted and not yet answered
  logic [1:0] discard_d, discard_q;      // how many of the oldest of these get answers that a redirect has made useless
  logic       hold_d, hold_q;            // a request waits for its grant: it must not change
  logic       stale_d, stale_q;          // a redirect has made the held request useless
  logic [31:2] req_addr, req_addr_d, req_addr_q; // next word to request, or the word held: req_addr_q + step_q
  logic        step_d, step_q;           // the adder is behind flip-flops, so that it is not in the path of a redirect
  logic [1:0]  prv_q;                    // privilege of the request held
  logic [31:1] pc_d, pc_q;
  logic        table_d, table_q;         // a table entry is awaited

  // ---------------------------------------------------------------- responses and the aligner
  logic  arrive;
  word_t arriving, head, second;
  logic  head_valid, second_valid;
  assign arrive       = instr_rsp_i.rvalid && (discard_q == '0);
  assign arriving     = '{err: instr_rsp_i.err, data: instr_rsp_i.rdata};
  assign head         = (count_q != '0) ? fifo_q[0] : arriving;
  assign head_valid   = (count_q != '0) || arrive;
  assign second       = (count_q > 2'd1) ? fifo_q[1] : arriving;
  assign second_valid = (count_q > 2'd1) || ((count_q == 2'd1) && arrive);

  logic [31:0] instr, next_pc, stamp;
  logic        upper, wide, fault_second;
  assign upper   = pc_q[1];
  assign instr   = upper ? {second.data[15:0], head.data[31:16]} : head.data;
  assign wide    = !ExtC || (instr[1:0] == 2'b11);

  assign valid_o      = head_valid && (table_q ? head.err : (!upper || !wide || head.err || second_valid));
  assign fault_second = !head.err && upper && wide && second.err;
  assign next_pc      = {pc_q + (wide ? 31'd2 : 31'd1), 1'b0};
  assign fetch_o      = '{
    pc:           {pc_q, 1'b0},
    next_pc:      next_pc,
    instr:        instr,
    compressed:   !wide,
    fault:        head.err || fault_second,
    fault_second: fault_second,
    from_table:   table_q,
    cycle:        stamp
  };

  // A table entry that has arrived makes a redirect: fetching goes on at the handler whose address it holds.
  logic        redirect, aim, table_arrives;
  logic [31:0] redirect_pc;
  assign table_arrives = table_q && head_valid && !head.err;
  assign redirect      = redirect_i || table_arrives;
  assign aim           = aim_i || table_arrives;
  assign redirect_pc   = aim_i ? redirect_pc_i : {head.data[31:2], ExtC && head.data[1], 1'b0};
  assign table_d       = redirect_i ? redirect_table_i : (table_q && !table_arrives);

  logic take, pop;
  assign take = valid_o && ready_i;
  assign pop  = take && (upper || wide);

  always_comb begin
    fifo_d  = fifo_q;
    count_d = count_q;
    if (pop && count_q != '0) begin
      fifo_d  = {fifo_q[Depth-1], fifo_q[Depth-1:1]};
      count_d = count_q - 2'd1;
    end
    if (arrive && !(pop && count_q == '0)) begin
      fifo_d[count_d] = arriving;
      count_d         = count_d + 2'd1;
    end
    if (redirect) count_d = '0;
  end

  always_comb begin
    pc_d = pc_q;
    if (take) pc_d = next_pc[31:1];
    if (redirect) pc_d = redirect_pc[31:1];
  end

  // ---------------------------------------------------------------- requests
  logic room, grant;
  assign room  = ({1'b0, count_q} + {1'b0, outs_q - discard_q} < 3'(Depth)) && (outs_q != 2'd3);
  assign grant = instr_req_o.req && instr_rsp_i.gnt;
  assign req_addr = req_addr_q + 30'(step_q);

  assign instr_req_o = '{
    prv:   hold_q ? prv_q : prv_i,
    mid:   '0,
    atop:  obi_pkg::AtopNone,
    req:   hold_q || ((redirect || (room && !aim)) && (outs_q != 2'd3)),
    we:    1'b0,
    be:    4'b1111,
    addr:  {(aim && !hold_q) ? redirect_pc[31:2] : req_addr, 2'b00},
    wdata: '0
  };

  always_comb begin
    hold_d     = instr_req_o.req && !instr_rsp_i.gnt;
    stale_d    = hold_d && hold_q && (stale_q || redirect);
    req_addr_d = req_addr_q;
    step_d     = step_q;
    // A held request stays on the bus until it is granted. If it was stale, fetching goes on at pc_q. While `aim` is
    // high the address that is aimed at is the next one to be requested, whether the redirect comes in this cycle or
    // later. So only `step_d` depends on whether it comes.
    if (aim && (!hold_q || instr_rsp_i.gnt)) begin
      req_addr_d = redirect_pc[31:2];
      step_d     = grant && !hold_q;
    end else if ((hold_q || (room && !aim)) && instr_rsp_i.gnt) begin
      req_addr_d = (hold_q && stale_q) ? pc_q[31:2] : req_addr;
      step_d     = !(hold_q && stale_q);
    end
  end

  always_comb begin
    outs_d    = outs_q + 2'(grant) - 2'(instr_rsp_i.rvalid);
    discard_d = discard_q - 2'(instr_rsp_i.rvalid && discard_q != '0);
    if (redirect) discard_d = outs_q - 2'(instr_rsp_i.rvalid);
    if (hold_q && grant && (stale_q || redirect)) discard_d = discard_d + 2'd1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q    <= '0;
      outs_q     <= '0;
      discard_q  <= '0;
      hold_q     <= 1'b0;
      stale_q    <= 1'b0;
      req_addr_q <= ResetVector[31:2];
      step_q     <= 1'b0;
      pc_q       <= ResetVector[31:1];
      table_q    <= 1'b0;
    end else begin
      count_q    <= count_d;
      outs_q     <= outs_d;
      discard_q  <= discard_d;
      hold_q     <= hold_d;
      stale_q    <= stale_d;
      req_addr_q <= req_addr_d;
      step_q     <= step_d;
      pc_q       <= pc_d;
      table_q    <= table_d;
    end
  end

  always_ff @(posedge clk_i) fifo_q <= fifo_d;
  always_ff @(posedge clk_i) prv_q <= instr_req_o.prv;

  // ---------------------------------------------------------------- cycle stamps
  if (Rvfi) begin : gen_stamp
    // One stamp for each word that is in the FIFO or under way, oldest first; the words to be discarded are the oldest.
    // The stamp of a request is the first cycle in which it was on the bus.
    localparam int unsigned Stamps = 7;
    logic [Stamps-1:0][31:0] stamp_d, stamp_q;
    logic [2:0] num_d, num_q;
    logic [31:0] first_q;
    always_comb begin
      stamp_d = stamp_q;
      num_d   = num_q;
      if (redirect) begin
        // The stamps of words in the FIFO, and of the word that arrives, are dropped. Those of answers that are still
        // to come stay until the answers are discarded.
        num_d = 3'(outs_q - 2'(instr_rsp_i.rvalid));
      end else if (pop || (instr_rsp_i.rvalid && !arrive)) begin
        stamp_d = {32'b0, stamp_q[Stamps-1:1]};
        num_d   = num_q - 3'd1;
      end
      if (grant) begin
        stamp_d[num_d] = hold_q ? first_q : cycle_i;
        num_d          = num_d + 3'd1;
      end
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) num_q <= '0;
      else num_q <= num_d;
    end
    always_ff @(posedge clk_i) begin
      stamp_q <= stamp_d;
      if (!hold_q) first_q <= cycle_i;
    end
    assign stamp = stamp_q[0];
  end else begin : gen_no_stamp
    logic unused;
    assign unused = ^cycle_i;
    assign stamp = '0;
  end

  logic unused;
  assign unused = ^{redirect_pc[0], redirect_pc_i[0], instr_rsp_i.exokay};

`ifndef SYNTHESIS
  // Every answer belongs to a request, and the FIFO has room for every word that is put into it.
  assert property (@(posedge clk_i) !(instr_rsp_i.rvalid && outs_q == '0));
  assert property (@(posedge clk_i) !(arrive && count_q == 2'(Depth)));
  assert property (@(posedge clk_i) discard_q <= outs_q);
  assert property (@(posedge clk_i) !(redirect_i && !aim_i));
`endif

endmodule

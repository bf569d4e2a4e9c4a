// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof for tz_memory_port, for all time: the memory gets one beat a cycle, as whoever is granted made it, and none that
// it refused is replaced; whoever asks alone is served; neither side waits longer than the bounds in the module's
// header; without a turn no access comes between two beats of a transfer. The memory refuses a beat for at most
// `Refusals` cycles.
module memory_port_formal #(
  parameter int unsigned Turn     = 1,
  parameter int unsigned MaxBeats = 8,
  parameter int unsigned Refusals = 0,
  parameter int unsigned BeatW    = $clog2(MaxBeats)
) (
  input logic              clk_i,
  input logic              line_req_i,
  input logic              line_we_i,
  input logic [31:0]       line_addr_i,
  input logic [BeatW-1:0]  line_beats_i,
  input logic [63:0]       line_wdata_i,
  input obi_pkg::obi_req_t word_req_i,
  input logic              mem_gnt_i,
  input logic [63:0]       mem_rdata_i
);

  // The first cycle is a reset, all others are not.
  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic              line_gnt, line_last, line_rvalid, mem_req, mem_we;
  logic [63:0]       line_rdata, mem_wdata;
  logic [31:0]       mem_addr;
  logic [7:0]        mem_be;
  obi_pkg::obi_rsp_t word_rsp;

  tz_memory_port #(
    .Turn    (Turn),
    .MaxBeats(MaxBeats)
  ) u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .line_req_i,
    .line_we_i,
    .line_addr_i,
    .line_beats_i,
    .line_wdata_i,
    .line_gnt_o   (line_gnt),
    .line_last_o  (line_last),
    .line_rvalid_o(line_rvalid),
    .line_rdata_o (line_rdata),
    .word_req_i,
    .word_rsp_o   (word_rsp),
    .mem_req_o    (mem_req),
    .mem_we_o     (mem_we),
    .mem_be_o     (mem_be),
    .mem_addr_o   (mem_addr),
    .mem_wdata_o  (mem_wdata),
    .mem_gnt_i,
    .mem_rdata_i
  );

  // ---------------------------------------------------------------- all sides' part
  localparam int unsigned Most = (Turn == 0 || Turn > MaxBeats) ? MaxBeats : Turn;
  localparam int unsigned WordBound = Most * (Refusals + 1) + Refusals;
  localparam int unsigned LineBound = 2 * Refusals + 1;

  logic             word_gnt, line_waits_q, word_waits_q, refused, begun_q;
  logic             line_gnt_q, word_gnt_q, upper_q;
  logic [BeatW-1:0] beats_q, beat_q;     // beat_q: number of beats of the transfer that were granted
  logic [7:0]       word_waited_q, line_waited_q, refused_q;
  logic [7:0]       passed_q;            // beats of transfers that were granted while the tile's access waited
  logic [3:0]       between_q;           // accesses of the tile that were granted while a beat waited
  logic [136:0]     shown, shown_q;
  logic [97:0]      line, line_q;
  obi_pkg::obi_req_t word_q;

  assign word_gnt = word_rsp.gnt;
  assign refused  = mem_req && !mem_gnt_i;
  assign shown    = {32'(mem_addr), mem_wdata, mem_we, 32'(mem_be), 8'h0};
  assign line     = {line_we_i, line_addr_i, line_wdata_i, 1'b0};
  always_ff @(posedge clk_i) begin
    line_waits_q  <= rst_n && line_req_i && !line_gnt;
    word_waits_q  <= rst_n && word_req_i.req && !word_gnt;
    begun_q       <= rst_n && line_req_i && !(line_gnt && line_last);
    line_gnt_q    <= rst_n && line_gnt;
    word_gnt_q    <= rst_n && word_gnt;
    upper_q       <= word_req_i.addr[2];
    beats_q       <= line_beats_i;
    line_q        <= line;
    word_q        <= word_req_i;
    shown_q       <= shown;
    if (!rst_n || (line_gnt && line_last)) beat_q <= '0;
    else if (line_gnt) beat_q <= beat_q + 1'b1;
    refused_q     <= rst_n && refused ? refused_q + 8'd1 : '0;
    word_waited_q <= rst_n && word_req_i.req && !word_gnt ? word_waited_q + 8'd1 : '0;
    line_waited_q <= rst_n && line_req_i && !line_gnt ? line_waited_q + 8'd1 : '0;
    passed_q      <= rst_n && word_req_i.req && !word_gnt ? passed_q + 8'(line_gnt) : '0;
    between_q     <= rst_n && line_req_i && !line_gnt ? between_q + 4'(word_gnt) : '0;
  end
  NoneInReset_M: assume property (@(posedge clk_i) rst_n || !(line_req_i || word_req_i.req));
  WordStable_M: assume property (@(posedge clk_i) disable iff (!rst_n) !word_waits_q || word_req_i == word_q);
  LineStable_M: assume property (@(posedge clk_i) disable iff (!rst_n) !begun_q ||
    (line_req_i && line_beats_i == beats_q && line[97:65] == line_q[97:65]));
  DataStable_M: assume property (@(posedge clk_i) disable iff (!rst_n) !line_waits_q || line == line_q);
  Refused_M: assume property (@(posedge clk_i) disable iff (!rst_n) !refused || refused_q < 8'(Refusals));

  // ---------------------------------------------------------------- properties
  // The memory never idles while somebody asks, and one side is granted what it made.
  Shown_A: assert property (@(posedge clk_i) disable iff (!rst_n) mem_req == (line_req_i || word_req_i.req));
  OneGrant_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !(line_gnt && word_gnt) && (line_gnt || word_gnt) == (mem_req && mem_gnt_i));
  OnlyAsked_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    !(line_gnt && !line_req_i) && !(word_gnt && !word_req_i.req));
  Line_A: assert property (@(posedge clk_i) disable iff (!rst_n) !line_gnt ||
    (mem_we == line_we_i && mem_be == 8'hff && mem_wdata == line_wdata_i &&
     mem_addr == (line_addr_i | (32'(beat_q) << 3)) && line_last == (beat_q == line_beats_i)));
  Word_A: assert property (@(posedge clk_i) disable iff (!rst_n) !word_gnt ||
    (mem_we == word_req_i.we && mem_addr == {word_req_i.addr[31:3], 3'b000} &&
     (word_req_i.addr[2] ? mem_be == {word_req_i.be, 4'h0} && mem_wdata[63:32] == word_req_i.wdata
                         : mem_be == {4'h0, word_req_i.be} && mem_wdata[31:0] == word_req_i.wdata)));
  Answer_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    line_rvalid == line_gnt_q && line_rdata == mem_rdata_i && word_rsp.rvalid == word_gnt_q && !word_rsp.err &&
    (!word_gnt_q || word_rsp.rdata == (upper_q ? mem_rdata_i[63:32] : mem_rdata_i[31:0])));
  if (Refusals > 0) begin : gen_refusals
    Stable_A: assert property (@(posedge clk_i) disable iff (!rst_n) refused_q == '0 || shown == shown_q);
  end
  if (Turn == 0) begin : gen_whole
    Whole_A: assert property (@(posedge clk_i) disable iff (!rst_n) !word_gnt || beat_q == '0);
  end
  WordBound_A: assert property (@(posedge clk_i) disable iff (!rst_n) word_waited_q <= 8'(WordBound));
  LineBound_A: assert property (@(posedge clk_i) disable iff (!rst_n)
    Turn == 0 && beat_q != '0 ? line_waited_q <= 8'(Refusals) : line_waited_q <= 8'(LineBound));
  WordBound_C: cover property (@(posedge clk_i) rst_n && word_gnt && word_waited_q == 8'(WordBound));
  LineBound_C: cover property (@(posedge clk_i) rst_n && line_gnt && line_waited_q == 8'(LineBound));

  // ---------------------------------------------------------------- lemmas for the induction
  logic [7:0] left;  // beats that may still be granted before the tile's access
  if (Turn < 2) begin : gen_no_count
    assign left = u_dut.turn_q ? 8'(u_dut.held_q) : (Turn == 0 ? 8'(Most) - 8'(beat_q) : 8'd1);
  end else begin : gen_count
    logic [7:0] of_turn, of_line;
    assign of_turn = 8'(Turn) - 8'(u_dut.gen_turns.count_q);
    assign of_line = 8'(MaxBeats) - 8'(beat_q);
    assign left    = u_dut.turn_q ? 8'(u_dut.held_q) : (of_turn < of_line ? of_turn : of_line);
    Count_L: assert property (@(posedge clk_i) disable iff (!rst_n)
      u_dut.gen_turns.count_q < Turn && (!u_dut.turn_q || u_dut.gen_turns.count_q == '0));
  end
  State_L: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.beat_q == beat_q && u_dut.line_read_q == line_gnt_q && u_dut.word_read_q == word_gnt_q &&
    refused_q <= 8'(Refusals) && (beat_q == '0 || begun_q) && (!begun_q || beat_q <= beats_q) &&
    !(line_waits_q && !begun_q) && (!word_gnt_q || u_dut.word_upper_q == upper_q));
  Held_L: assert property (@(posedge clk_i) disable iff (!rst_n)
    u_dut.held_q == (refused_q != '0 && line_waits_q && shown_q == {32'(line_q[96:65] | (32'(beat_q) << 3)),
      line_q[64:1], line_q[97], 32'hff, 8'h0} && u_dut.held_q) &&
    (refused_q == '0 || u_dut.held_q || (word_waits_q && u_dut.turn_q)) &&
    (refused_q == '0 || u_dut.held_q || shown_q[136:105] == {word_q.addr[31:3], 3'b000}) &&
    (!u_dut.held_q || line_waited_q >= refused_q) && (refused_q == '0 || u_dut.held_q || word_waited_q >= refused_q));
  if (Turn == 0) begin : gen_whole_lemma
    Whole_L: assert property (@(posedge clk_i) disable iff (!rst_n) beat_q == '0 || !(u_dut.turn_q || between_q != '0));
  end
  Waits_L: assert property (@(posedge clk_i) disable iff (!rst_n)
    (word_waits_q == (word_waited_q != '0)) && (line_waits_q == (line_waited_q != '0)) &&
    (!word_waits_q || word_q.req) && between_q <= 4'd1 && (line_waits_q || between_q == '0) &&
    (between_q == '0 || !u_dut.turn_q) && (word_waits_q || passed_q == '0) &&
    (!word_waits_q || 32'(passed_q) + 32'(left) <= Most) &&
    !(u_dut.turn_q && u_dut.held_q && passed_q != '0) &&
    32'(word_waited_q) <= 32'(passed_q) * (Refusals + 1) + 32'(refused_q) &&
    32'(line_waited_q) <= 32'(between_q) * (Refusals + 1) + 32'(refused_q) &&
    (between_q == '0 || !(refused_q != '0 && !u_dut.held_q)));

endmodule

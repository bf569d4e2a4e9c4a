// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// One memory for the line transfers of application harts and the single accesses of a real-time tile. The memory
// serves one beat a cycle. A transfer asks for one beat after the other; an access of the tile takes one beat.
//
// Whose turn it is: the tile's, once the transfers have had `Turn` beats since the tile's last access, and between two
// transfers; else the transfer's. Whoever asks alone is served. So with Turn > 0 the tile interrupts a transfer, and
// a transfer has at least Turn of Turn + 1 beats. With Turn = 0 a transfer that has begun is not interrupted.
//
// Bound: let R be the largest number of cycles for which the memory refuses one beat. From its first cycle to its grant
// an access of the tile waits for at most T * (R + 1) + R cycles, where T is the smaller one of Turn and MaxBeats, and
// MaxBeats if Turn is 0. A beat of a transfer waits for at most 2 * R + 1.
//
// No cycle is added: a beat reaches the memory in the cycle in which it is asked for, if it has its turn. One that has
// reached the memory and was not granted keeps its place. The memory answers in the cycle after its grant.
module tz_memory_port #(
  parameter int unsigned Turn     = 1,
  parameter int unsigned MaxBeats = 8,  // of a transfer; at least 2
  parameter int unsigned BeatW    = $clog2(MaxBeats)
) (
  input  logic              clk_i,
  input  logic              rst_ni,

  // Line transfers. Stable until the grant of the last beat, but for the data, which are those of the next beat.
  input  logic              line_req_i,
  input  logic              line_we_i,
  input  logic [31:0]       line_addr_i,   // of the first beat; a multiple of the transfer's size
  input  logic [BeatW-1:0]  line_beats_i,  // number of beats - 1
  input  logic [63:0]       line_wdata_i,
  output logic              line_gnt_o,    // a beat is granted in this cycle
  output logic              line_last_o,   // with the grant: it was the last one
  output logic              line_rvalid_o,
  output logic [63:0]       line_rdata_o,

  // The tile
  input  obi_pkg::obi_req_t word_req_i,
  output obi_pkg::obi_rsp_t word_rsp_o,

  // The memory
  output logic              mem_req_o,
  output logic              mem_we_o,
  output logic [7:0]        mem_be_o,
  output logic [31:0]       mem_addr_o,    // of 8 bytes
  output logic [63:0]       mem_wdata_o,
  input  logic              mem_gnt_i,
  input  logic [63:0]       mem_rdata_i
);

  localparam int unsigned TurnW = Turn > 1 ? $clog2(Turn) : 1;

  if (MaxBeats < 2) begin : gen_bad_beats
    $error("tz_memory_port: MaxBeats must be at least 2");
  end

  logic             last, line_wins, word_wins, line_gnt, word_gnt;
  logic [BeatW-1:0] beat_q;      // number of the transfer's next beat
  logic             turn_q;      // the tile's turn comes first
  logic             held_q;      // a beat of a transfer reached the memory and was not granted
  logic             line_read_q, word_read_q, word_upper_q;  // granted in the last cycle

  assign word_wins = word_req_i.req && !held_q && (turn_q || !line_req_i);
  assign line_wins = line_req_i && !word_wins;
  assign line_gnt  = line_wins && mem_gnt_i;
  assign word_gnt  = word_wins && mem_gnt_i;
  assign last      = beat_q == line_beats_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      beat_q       <= '0;
      held_q       <= 1'b0;
      line_read_q  <= 1'b0;
      word_read_q  <= 1'b0;
      word_upper_q <= 1'b0;
    end else begin
      if (line_gnt) beat_q <= last ? '0 : beat_q + 1'b1;
      held_q       <= line_wins && !mem_gnt_i;
      line_read_q  <= line_gnt;
      word_read_q  <= word_gnt;
      word_upper_q <= word_req_i.addr[2];
    end
  end

  // A refused access of the tile must not lose its place to a transfer that comes.
  logic turn_d, shown;
  assign shown = word_wins && !mem_gnt_i;
  if (Turn == 0) begin : gen_whole
    assign turn_d = line_gnt ? last : shown || (turn_q && !word_gnt);
  end else begin : gen_turns
    logic [TurnW-1:0] count_q;  // beats of transfers since the tile's last access; while turn_q is low
    logic             reached;
    assign reached = count_q == TurnW'(Turn - 1);
    assign turn_d  = shown || (!word_gnt && (turn_q || (line_gnt && (last || reached))));
    if (Turn == 1) begin : gen_each
      assign count_q = '0;
    end else begin : gen_count
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) count_q <= '0;
        else if (turn_d || word_gnt) count_q <= '0;
        else if (line_gnt) count_q <= count_q + 1'b1;
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) turn_q <= 1'b0;
    else turn_q <= turn_d;
  end

  assign mem_req_o   = line_req_i || word_req_i.req;
  assign mem_we_o    = word_wins ? word_req_i.we : line_we_i;
  assign mem_be_o    = word_wins ? (word_req_i.addr[2] ? {word_req_i.be, 4'h0} : {4'h0, word_req_i.be}) : 8'hff;
  assign mem_addr_o  = word_wins ? {word_req_i.addr[31:3], 3'b000} : line_addr_i | (32'(beat_q) << 3);
  assign mem_wdata_o = word_wins ? {2{word_req_i.wdata}} : line_wdata_i;

  assign line_gnt_o    = line_gnt;
  assign line_last_o   = last;
  assign line_rvalid_o = line_read_q;
  assign line_rdata_o  = mem_rdata_i;
  assign word_rsp_o    = '{
    exokay: 1'b0,
    gnt:    word_gnt,
    rvalid: word_read_q,
    err:    1'b0,
    rdata:  word_upper_q ? mem_rdata_i[63:32] : mem_rdata_i[31:0]
  };

`ifdef TRAPEZE_CHECK
  // What the proof (formal/memory_port_formal.sv) assumes of both sides.
  logic              word_waits_q, line_waits_q, begun_q, line_we_q;
  logic [31:0]       line_addr_q;
  logic [63:0]       line_wdata_q;
  logic [BeatW-1:0]  line_beats_q;
  obi_pkg::obi_req_t word_q;
  always_ff @(posedge clk_i) begin
    word_waits_q <= rst_ni && word_req_i.req && !word_gnt;
    line_waits_q <= rst_ni && line_req_i && !line_gnt;
    begun_q      <= rst_ni && line_req_i && !(line_gnt && last);
    line_we_q    <= line_we_i;
    line_addr_q  <= line_addr_i;
    line_wdata_q <= line_wdata_i;
    line_beats_q <= line_beats_i;
    word_q       <= word_req_i;
  end
  WordStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni) !word_waits_q || word_req_i == word_q);
  LineStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni) !begun_q ||
    (line_req_i && line_beats_i == line_beats_q && line_we_i == line_we_q && line_addr_i == line_addr_q));
  DataStable_A: assert property (@(posedge clk_i) disable iff (!rst_ni) !line_waits_q || line_wdata_i == line_wdata_q);
`endif

  logic unused;
  assign unused = ^{word_req_i.prv, word_req_i.mid, word_req_i.atop, word_req_i.addr[1:0]};

endmodule

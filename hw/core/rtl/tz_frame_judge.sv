// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// fastirq with user-level interrupts: whether memory protection lets user mode store all words of the frame that an
// interrupt would make at sp.
//
// Each word is judged as an access of its own, as it will be when it is stored. The lowest row that matches the word
// decides; a word that no row matches is denied (Privileged Architecture 20211203, 3.7.1). A frame that would reach
// across address 0 (sp is below the size of a frame) is refused, too.
//
// The rows are looked at one by one, not in the cycle of an interrupt. This module keeps a range of words on which the
// rows decide alike: while sp moves inside of it, two comparisons give the answer in the same cycle. A stack lies in one
// range as a rule, so rows are looked at only when sp gets to another stack, or after rows were written.
//
//   sp in the range? ── yes ──────────────────────────────────────────────────────────────> answer
//                    └─ no ──> point: the frame's first word; one row a cycle ──> range of point ──> answer
//                              (a frame that begins in an allowed range and reaches beyond its end: point is the first
//                              word behind that end. The range grows, or there is a wall behind it.)
//
// Timing: the answer is there at most Regions + 3 cycles after sp has left the range; earlier if a low row matches. A
// frame across several ranges takes a search for each, and a search for an older sp goes on to its end. Interrupts of
// user mode wait meanwhile (`judged` low); those of machine mode do not.
module tz_frame_judge
  import tz_core_pkg::*;
#(
  parameter int unsigned Regions = 16,
  parameter int unsigned Words   = 18,  // words of a frame
  parameter int unsigned Below   = 20   // words by which an entry lowers sp, Words or more
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  pmp_t        pmp_i,
  input  logic        written_i,  // rows are written: pmp_i may change with the next cycle
  input  logic        user_i,     // a search may begin: sp is user mode's
  input  logic [31:2] sp_i,       // sp with the write of WB in this cycle; known late

  output verdict_t    verdict_o   // for sp_i
);

  // Addresses of words with a bit more: the end of a range may be 2^30. What sp is compared with is higher by Below, so
  // that sp needs no subtraction.
  typedef logic [30:0] bound_t;
  localparam bound_t End = 31'h4000_0000;

  typedef enum logic [1:0] {Idle, Look, Note} state_e;

  // The range: frames begin in it for `first_q` <= sp < `top_q`, and lie in it for sp <= `fit_q`.
  logic        valid_d, valid_q;    // there is one
  logic        ok_d, ok_q;          // its words may be stored
  logic        wall_d, wall_q;      // the first word behind it may not
  bound_t      first_d, first_q, fit_d, fit_q, top_d, top_q;

  // The search
  state_e      state_d, state_q;
  logic        missed_d, missed_q;  // sp was not judged in the last cycle, and a search may begin
  logic        beyond_d, beyond_q;  // the search is for the words behind the range
  logic        may_d, may_q;        // the row that decides for `point_q` lets user mode store
  logic [3:0]  row_d, row_q;        // the row that is looked at
  logic [29:0] sp_q, point_d, point_q;
  bound_t      from_d, from_q, to_d, to_q;  // no row before this one matches a word here; the range of point_q at last
  bound_t      before_d, before_q;          // `upper` of the row before: where a TOR row begins

  // ---------------------------------------------------------------- the answer
  logic low, reach, begins, fits, judged;
  assign low       = (sp_i < 30'(Below));
  assign reach     = valid_q && ({1'b0, sp_i} >= first_q);
  assign begins    = reach && ({1'b0, sp_i} < top_q);
  assign fits      = reach && ok_q && ({1'b0, sp_i} <= fit_q);
  assign judged    = low || fits || (begins && (!ok_q || wall_q));
  assign verdict_o = '{judged: judged, refused: low || !fits};

  // ---------------------------------------------------------------- one row
  pmp_row_t row;
  bound_t   point, upper, rises, ends;   // the row matches words from `rises` to below `ends`
  logic     some, holds, last;
  assign row   = pmp_i.rows[row_q];
  assign upper = row.above ? End : {1'b0, row.upper};
  assign rises = row.tor ? before_q : {1'b0, row.base & row.care};
  assign ends  = row.tor ? upper : {1'b0, row.base | ~row.care} + 31'd1;
  assign some  = (row.tor || row.block) && (rises < ends);
  assign point = {1'b0, point_q};
  assign holds = some && (rises <= point) && (point < ends);
  assign last  = holds || (row_q == 4'(Regions - 1));

  always_comb begin
    valid_d  = valid_q;
    ok_d     = ok_q;
    wall_d   = wall_q;
    first_d  = first_q;
    fit_d    = fit_q;
    top_d    = top_q;
    state_d  = state_q;
    missed_d = 1'b0;
    beyond_d = beyond_q;
    may_d    = may_q;
    row_d    = row_q;
    point_d  = point_q;
    from_d   = from_q;
    to_d     = to_q;
    before_d = before_q;
    unique case (state_q)
      Idle: begin
        missed_d = user_i && !judged && !missed_q;
        if (!missed_q) beyond_d = begins && ok_q;
        point_d  = (beyond_q ? top_q[29:0] : sp_q) - 30'(Below);
        from_d   = '0;
        to_d     = End;
        before_d = '0;
        row_d    = '0;
        if (missed_q) state_d = Look;
      end
      Look: begin
        if (some && ends <= point) begin
          if (ends > from_q) from_d = ends;
        end else if (some && rises > point) begin
          if (rises < to_q) to_d = rises;
        end else if (some) begin
          if (rises > from_q) from_d = rises;
          if (ends < to_q) to_d = ends;
        end
        before_d = upper;
        row_d    = row_q + 4'd1;
        may_d    = holds && row.user[1];
        if (last) state_d = Note;
      end
      default: begin
        state_d = Idle;
        if (!beyond_q) begin
          valid_d = 1'b1;
          ok_d    = may_q;
          first_d = from_q + 31'(Below);
        end
        wall_d = beyond_q && !may_q;
        if (!beyond_q || may_q) begin
          fit_d = to_q + 31'(Below - Words);
          top_d = to_q + 31'(Below);
        end
      end
    endcase
    if (written_i) begin
      state_d  = Idle;
      missed_d = 1'b0;
      valid_d  = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      missed_q <= 1'b0;
      state_q  <= Idle;
    end else begin
      valid_q  <= valid_d;
      missed_q <= missed_d;
      state_q  <= state_d;
    end
  end
  always_ff @(posedge clk_i) begin
    {ok_q, wall_q, beyond_q, may_q}      <= {ok_d, wall_d, beyond_d, may_d};
    {first_q, fit_q, top_q}              <= {first_d, fit_d, top_d};
    {row_q, point_q}                     <= {row_d, point_d};
    {from_q, to_q, before_q}             <= {from_d, to_d, before_d};
    sp_q                                 <= sp_i;
  end

  logic unused;
  assign unused = ^{pmp_i, row};

`ifdef TRAPEZE_CHECK
  // Rows change only behind a write, and a block's bits that count are its upper ones: what the proof assumes.
  logic [15:0] blocks;
  for (genvar i = 0; i < 16; i++) begin : gen_blocks
    assign blocks[i] = !(pmp_i.rows[i].tor && pmp_i.rows[i].block) &&
                       (~pmp_i.rows[i].care & (~pmp_i.rows[i].care + 30'd1)) == '0;
  end
  Rows_A: assert property (@(posedge clk_i) disable iff (!rst_ni) !written_i |=> $stable(pmp_i));
  Decoded_A: assert property (@(posedge clk_i) blocks == '1);
`endif

endmodule

// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Atomic operations in front of a memory bank: executes the requests with an `atop` (obi_pkg), so that the bank behind
// sees plain reads and writes (Unprivileged ISA, "A" extension: Zaamo, Zalrsc; words only).
//
//   plain   passes as it is, in the cycle in which it comes
//   AMO     granted with its read, answered with the old value. In the next cycle this module computes the new value and
//           writes it. No other request is granted until the bank has taken the write: the operation is atomic
//   LR      a read; the word is reserved for the hart
//   SC      a write if the hart's reservation of this word stands, else a read, which changes nothing
//
// All four are answered in the cycle after their grant. Their order is the order of their grants.
//
// A hart has one reservation, of one word. The reservation ends with
//   - a write to the word: a store, AMO or successful SC of any hart, its own included, or a word of a frame;
//   - the hart's next LR or SC, to this bank or to another one (`elsewhere_i`).
// After a trap or a return from one the core sends its SC with `we` low: the SC fails. Nothing else ends a reservation
// or makes an SC fail: if no other access comes between an LR and its SC, the SC succeeds.
//
// The bank answers in the cycle after its grant. It may delay its grants.
module tz_amo #(
  parameter int unsigned NumHarts = 1,      // harts that reach the bank: 1 (any), or mid.hart is below this number
  parameter logic [31:0] AddrMask = '1      // address bits that tell the words of the bank apart
) (
  input  logic                clk_i,
  input  logic                rst_ni,

  input  obi_pkg::obi_req_t   req_i,        // from the bus
  output obi_pkg::obi_rsp_t   rsp_o,
  output obi_pkg::obi_req_t   bank_req_o,   // atop is AtopNone
  input  obi_pkg::obi_rsp_t   bank_rsp_i,

  output logic [NumHarts-1:0] here_o,       // an LR or SC of the hart is granted in this bank
  input  logic [NumHarts-1:0] elsewhere_i   // an LR or SC of the hart is granted in another bank
);

  typedef enum logic [1:0] {
    StIdle,     // requests pass
    StModify,   // the old value of an AMO is here, the new one goes to the bank
    StWrite     // the bank has not taken the new value yet
  } state_e;

  state_e            state_d, state_q;
  obi_pkg::obi_req_t amo_d, amo_q;       // the AMO under way; in StWrite its wdata is the new value
  logic              exokay_q;           // `exokay` of the access granted in the last cycle
  logic              own_q;              // the access granted in the last cycle was the write of an AMO
  logic [31:0]       result;

  // ---------------------------------------------------------------- what comes
  logic accept, lr, sc, load, amo, write, sc_ok;
  assign accept = req_i.req && rsp_o.gnt;
  assign lr     = (req_i.atop == obi_pkg::AtopLr);
  assign sc     = (req_i.atop == obi_pkg::AtopSc);
  assign load   = (req_i.atop == obi_pkg::AtopLoad);  // a plain read here
  assign amo    = (req_i.atop != obi_pkg::AtopNone) && !lr && !sc && !load;
  assign write  = sc ? sc_ok : req_i.we;  // changes the word, now or in the next cycles

  // ---------------------------------------------------------------- reservations
  logic [NumHarts-1:0] asks;             // the request is this hart's
  logic [NumHarts-1:0] reserved_q, same; // the hart has a reservation; its word is the one of the request
  for (genvar h = 0; h < int'(NumHarts); h++) begin : gen_hart
    logic [31:2] addr_q;
    assign asks[h]   = (NumHarts == 1) || (req_i.mid.hart == 4'(h));
    assign same[h]   = (((addr_q ^ req_i.addr[31:2]) & AddrMask[31:2]) == '0);
    assign here_o[h] = accept && asks[h] && (lr || sc);

    always_ff @(posedge clk_i) begin
      if (here_o[h]) addr_q <= req_i.addr[31:2] & AddrMask[31:2];  // an SC only moves what has ended
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) reserved_q[h] <= 1'b0;
      else if (elsewhere_i[h] || here_o[h]) reserved_q[h] <= here_o[h] && lr;
      else if (accept && write && same[h]) reserved_q[h] <= 1'b0;
    end
  end
  assign sc_ok = req_i.we && |(asks & reserved_q & same);

  // ---------------------------------------------------------------- to the bank
  assign result = obi_pkg::amo_result(amo_q.atop, bank_rsp_i.rdata, amo_q.wdata);

  always_comb begin
    bank_req_o      = req_i;
    bank_req_o.we   = write && !amo;
    if (state_q != StIdle) begin
      bank_req_o     = amo_q;
      bank_req_o.req = 1'b1;
      if (state_q == StModify) bank_req_o.wdata = result;
    end
    bank_req_o.atop = obi_pkg::AtopNone;
  end

  always_comb begin
    state_d = state_q;
    amo_d   = amo_q;
    unique case (state_q)
      StIdle: begin
        if (accept && amo) begin
          state_d = StModify;
          amo_d   = req_i;
        end
      end
      StModify: begin
        state_d     = bank_rsp_i.gnt ? StIdle : StWrite;
        amo_d.wdata = result;
      end
      default: begin
        if (bank_rsp_i.gnt) state_d = StIdle;
      end
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      exokay_q <= 1'b0;
      own_q    <= 1'b0;
    end else begin
      state_q  <= state_d;
      exokay_q <= lr || (sc && sc_ok);
      own_q    <= (state_q != StIdle);
    end
  end

  always_ff @(posedge clk_i) amo_q <= amo_d;

  // ---------------------------------------------------------------- back
  assign rsp_o = '{
    exokay: exokay_q,
    gnt:    bank_rsp_i.gnt && (state_q == StIdle),
    rvalid: bank_rsp_i.rvalid && !own_q,
    err:    bank_rsp_i.err,
    rdata:  bank_rsp_i.rdata
  };

  logic unused;
  assign unused = ^{amo_q.req, bank_rsp_i.exokay, AddrMask[1:0]};

`ifndef SYNTHESIS
  // The bank answers in the cycle after its grant, and in no other cycle.
  ReadAnswered_A: assert property (@(posedge clk_i) !(state_q == StModify && !bank_rsp_i.rvalid));
  // AMOs and LR, SC are of whole words, and `we` is as obi_pkg says.
  Word_A: assert property (@(posedge clk_i) !(req_i.req && (lr || sc || amo) && req_i.be != 4'b1111));
  We_A: assert property (@(posedge clk_i) !(req_i.req && (((lr || load) && req_i.we) || (amo && !req_i.we))));
  if (NumHarts > 1) begin : gen_known_hart
    KnownHart_A: assert property (@(posedge clk_i) !(req_i.req && 32'(req_i.mid.hart) >= 32'(NumHarts)));
  end
`endif
`ifdef TRAPEZE_CHECK
  // A hart makes one atomic operation at a time. Its fetches and its frame port may access another bank meanwhile.
  OnePlace_A: assert property (@(posedge clk_i)
    !(req_i.req && req_i.atop != obi_pkg::AtopNone && |(asks & elsewhere_i)));
`endif

endmodule

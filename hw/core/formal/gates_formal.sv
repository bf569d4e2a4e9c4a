// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Proof that tz_regfile does the same with Gates = 0 and Gates = 1, for any inputs. One register is watched, chosen
// freely, with fastirq in a bank that is chosen freely. With UserIrq a bank that is fresh for user mode reads zero in
// both forms until it is written.
module gates_formal
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter bit          Fast     = 1'b0,
  parameter int unsigned NumBanks = 0,
  parameter bit          Whole    = 1'b0,
  parameter bit          UserIrq  = 1'b0,
  localparam int unsigned BankW   = (NumBanks > 0) ? $clog2(NumBanks + 1) : 1
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [4:0]       register_i,     // number of the watched register; never changes
  input logic [BankW-1:0] looked_bank_i,  // its bank; never changes
  input logic             we_i,
  input logic [4:0]       waddr_i,
  input logic [31:0]      wdata_i,
  input logic [BankW-1:0] bank_i,
  input logic             sp_set_i,
  input logic [31:0]      sp_i,
  input logic             fill_we_i,
  input logic [BankW-1:0] fill_bank_i,
  input logic [4:0]       fill_word_i,
  input logic [31:0]      fill_data_i,
  input logic             link_i,
  input logic             fresh_i,
  input logic [BankW-1:0] next_bank_i
);

  logic banked;
  assign banked = Fast && in_frame(register_i, RV32E, Whole);
  logic [1:0][31:0]         rdata_a, rdata_b;
  fast_to_regfile_t         fast;
  fast_from_regfile_t [1:0] read;
  assign fast = '{
    bank:       3'(bank_i),
    sp_set:     sp_set_i,
    sp:         sp_i,
    fill_we:    fill_we_i,
    fill_bank:  3'(fill_bank_i),
    fill_word:  fill_word_i,
    fill_data:  fill_data_i,
    link:       link_i,
    fresh:      fresh_i,
    next_bank:  3'(next_bank_i),
    drain_bank: 3'(looked_bank_i),
    drain_word: frame_word(register_i, Whole)
  };
  for (genvar g = 0; g < 2; g++) begin : gen_form
    tz_regfile #(
      .RV32E   (RV32E),
      .Fast    (Fast),
      .NumBanks(NumBanks),
      .Whole   (Whole),
      .UserIrq (UserIrq),
      .Gates   (g != 0)
    ) u_regfile (
      .clk_i,
      .rst_ni,
      .raddr_a_i   (register_i),
      .rdata_a_o   (rdata_a[g]),
      .raddr_b_i   (register_i),
      .rdata_b_o   (rdata_b[g]),
      .we_i,
      .waddr_i,
      .wdata_i,
      .fast_i      (fast),
      .fast_o      (read[g])
    );
  end

  // Before its first write a register holds any value, and the two forms may hold different values.
  logic written, written_q = 1'b0, sp_written_q = 1'b0;
  assign written = (we_i && waddr_i == register_i && (!banked || bank_i == looked_bank_i)) ||
                   (banked && fill_we_i && fill_bank_i == looked_bank_i &&
                    fill_word_i == frame_word(register_i, Whole));
  // The watched bank has become fresh for user mode, and the watched register has not been written since.
  logic fresh, fresh_q = 1'b0;
  assign fresh = rst_ni && UserIrq && fresh_i && looked_bank_i == next_bank_i;
  logic             begun_q = 1'b0;
  logic [4:0]       register_q;
  logic [BankW-1:0] looked_bank_q;
  always_ff @(posedge clk_i) begin
    begun_q       <= 1'b1;
    register_q    <= register_i;
    looked_bank_q <= looked_bank_i;
    written_q     <= written_q || written;
    fresh_q       <= fresh || (fresh_q && !written);
    sp_written_q  <= sp_written_q || (we_i && waddr_i == 5'd2) || sp_set_i;
  end
  always_comb begin
    Reset_K: assume (rst_ni == begun_q);
    if (begun_q) begin
      Register_K: assume (register_i == register_q);
      Bank_K: assume (looked_bank_i == looked_bank_q);
    end
    UpperAbsent_M: assume (!RV32E || (!register_i[4] && !waddr_i[4]));
    WordKnown_M: assume (!(Fast && fill_we_i) || 32'(fill_word_i) < frame_words(RV32E, Whole) - 2);
    NextBank_M: assume (!fresh_i || (next_bank_i <= BankW'(NumBanks) && (NumBanks == 0 || next_bank_i != bank_i)));
    BankKnown_M: assume (looked_bank_i <= BankW'(NumBanks) && bank_i <= BankW'(NumBanks) &&
                         fill_bank_i <= BankW'(NumBanks));
    ZeroUnwritten_M: assume (!(we_i && waddr_i == '0));
    LinkFast_M: assume (Fast || !link_i);
    OneWriter_M: assume (!(Fast && we_i && fill_we_i &&
                           (NumBanks == 0 || (fill_bank_i == bank_i && in_frame(waddr_i, RV32E, Whole)))));
  end

  logic known, readable;
  assign known    = register_i == '0 || (banked && fresh_q) || (Fast && register_i == 5'd2 ? sp_written_q : written_q);
  assign readable = (known && (!banked || bank_i == looked_bank_i)) || (link_i && register_i == 5'd1);
  always_comb begin
    if (readable) ReadA_A: assert (rdata_a[0] == rdata_a[1]);
    if (readable) ReadB_A: assert (rdata_b[0] == rdata_b[1]);
    if (sp_written_q) Sp_A: assert (read[0].sp == read[1].sp && read[0].sp_next == read[1].sp_next);
    Written_C: cover (written_q && readable && rdata_a[1] != '0);
  end
  if (Fast) begin : gen_fast
    always_comb begin
      if (banked && (written_q || fresh_q)) Drain_A: assert (read[0].drain_data == read[1].drain_data);
    end
  end
  if (UserIrq) begin : gen_user
    always_comb begin
      if (banked && fresh_q && bank_i == looked_bank_i && !(link_i && register_i == 5'd1)) begin
        Fresh_A: assert (rdata_a[0] == '0 && rdata_b[0] == '0);
      end
      if (banked && fresh_q) FreshDrain_A: assert (read[0].drain_data == '0);
    end
  end

endmodule

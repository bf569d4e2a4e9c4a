// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
//
// Test top of tz_observe. A debugger may read integer registers in any cycle, also while fastirq writes a bank. The
// test compares what tz_observe shows of the current bank before a clock edge with what the register file holds after
// that edge, without the write of the pipeline (observe_pkg). Writes of both ports and banks are random. The run ends
// with a line on the console.
module tb_observe
  import tz_core_pkg::*;
  import tz_fast_pkg::*;
#(
  parameter bit          RV32E    = 1'b0,
  parameter int unsigned NumBanks = 2
);

  localparam int unsigned Cycles = 20000;
  localparam int unsigned Registers = RV32E ? 16 : 32;
  localparam int unsigned Words = frame_words(RV32E) - 2;

  logic clk = 1'b0;

  fast_to_regfile_t      fast;
  fast_from_regfile_t    unused_back;
  from_fast_t            all;
  logic                  we;
  logic [4:0]            number, waddr;
  logic [31:0]           wdata, value, shown[Registers];
  observe_pkg::inspect_t inspect;
  observe_pkg::observe_t observe;

  tz_regfile #(
    .RV32E   (RV32E),
    .Fast    (1'b1),
    .NumBanks(NumBanks)
  ) u_regfile (
    .clk_i    (clk),
    .rst_ni   (1'b1),
    .raddr_a_i(number),
    .rdata_a_o(value),
    .raddr_b_i('0),
    .rdata_b_o(),
    .we_i     (we),
    .waddr_i  (waddr),
    .wdata_i  (wdata),
    .fast_i   (fast),
    .fast_o   (unused_back)
  );

  always_comb begin
    all         = '0;
    all.regfile = fast;
    inspect     = '{valid: 1'b1, csr: 1'b0, number: 12'(number), passed: '0};
  end

  tz_observe u_observe (
    .csrs_i      ('0),
    .fast_i      (all),
    .posts_i     ('0),
    .frame_judged_i(1'b1),
    .frame_req_i ('0),
    .frame_rsp_i ('0),
    .next_pc_i   ('0),
    .next_table_i('0),
    .busy_i      ('0),
    .inspect_i   (inspect),
    .csr_exists_i('0),
    .csr_value_i ('0),
    .register_i  (value),
    .observe_o   (observe)
  );

  int unsigned wrong = 0, fills = 0, others = 0;

  initial begin
    fast  = '0;
    we    = 1'b0;
    waddr = 5'd1;
    for (int unsigned cycle = 0; cycle < Cycles; cycle++) begin
      // The first words fill every bank. After that the bank changes now and then, and a fill may go to any bank.
      clk            = 1'b0;
      fast.fill_word = 5'($urandom_range(Words - 1));
      fast.fill_data = $urandom;
      fast.fill_we   = (cycle < 1000) || ($urandom_range(2) == 0);
      fast.fill_bank = 3'($urandom_range(NumBanks));
      fast.sp_set    = cycle < 2;
      we             = (cycle < 1000) || ($urandom_range(1) == 0);
      waddr          = 5'(1 + $urandom_range(Registers - 2));
      wdata          = $urandom;
      // A bank has one write port (tz_regfile). A debugger takes the pipeline's write from the retirement record.
      if (fast.fill_we && (NumBanks == 0 || (fast.fill_bank == fast.bank && in_frame(waddr, RV32E)))) we = 1'b0;
      #1;
      for (int unsigned n = 0; n < Registers; n++) begin
        number = 5'(n);
        #1;
        shown[n] = observe.value;
        if (we && waddr == 5'(n)) shown[n] = wdata;
      end
      fills  += 32'(fast.fill_we && fast.fill_bank == fast.bank);
      others += 32'(fast.fill_we && fast.fill_bank != fast.bank);
      clk = 1'b1;
      #1;
      if (cycle >= 1000) begin
        for (int unsigned n = 0; n < Registers; n++) begin
          number = 5'(n);
          #1;
          if (value != shown[n]) begin
            wrong++;
            if (wrong < 5) $display("cycle %0d: x%0d is shown as %h and becomes %h", cycle, n, shown[n], value);
          end
        end
      end
      if ($urandom_range(15) == 0) fast.bank = 3'($urandom_range(NumBanks));
    end
    if (wrong != 0 || fills < 100 || (NumBanks > 0 && others < 100)) $fatal(1, "%0d registers are shown wrong", wrong);
    $display("all registers are shown as they become");
    $finish;
  end

endmodule

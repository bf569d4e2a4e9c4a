// Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0
#include "model/isa/decode.h"

#include <iterator>

#include "kernel/disasm.h"

namespace trapeze::model {
namespace {

/** Which register fields an operation uses: RV32E reserves those above 15. */
enum Uses : unsigned { kNone = 0, kRd = 1, kRs1 = 2, kRs2 = 4 };

/** One instruction, taken apart step by step. */
class Decoder {
 public:
  Decoder(std::uint32_t word, const Params& params) : word_(word), params_(params) {}

  Decoded run() {
    switch (field(word_, 6, 0)) {
      case 0x37:
        use(Operation::li, kRd, static_cast<std::int32_t>(word_ & 0xfffff000U));
        break;
      case 0x17:
        use(Operation::li, kRd, static_cast<std::int32_t>(word_ & 0xfffff000U));
        out_.relative = out_.op == Operation::li;
        break;
      case 0x6f:
        use(Operation::jal, kRd, imm_j());
        break;
      case 0x67:
        if (funct3() == 0) use(Operation::jalr, kRd | kRs1, imm_i());
        break;
      case 0x63:
        branch();
        break;
      case 0x03:
        load();
        break;
      case 0x23:
        store();
        break;
      case 0x13:
        op_imm();
        break;
      case 0x33:
        op_register();
        break;
      case 0x1b:
        if (wide()) op_imm_word();
        break;
      case 0x3b:
        if (wide()) op_register_word();
        break;
      case 0x2f:
        if (params_.a) atomic();
        break;
      case 0x0f:
        // Reserved fields of fence and fence.i are to be ignored (chapters 2.7 and 3).
        if (funct3() == 0) use(Operation::nop, kNone, 0);
        if (funct3() == 1) use(Operation::fence_i, kNone, 0);
        if (funct3() == 2 && params_.zicbom) block_operation();
        break;
      case 0x73:
        system();
        break;
      case 0x07:
      case 0x27:
      case 0x43:
      case 0x47:
      case 0x4b:
      case 0x4f:
      case 0x53:
        return decode_float(word_, params_);
      default:
        break;
    }
    return out_;
  }

 private:
  bool wide() const { return params_.xlen == 64; }
  std::uint32_t funct3() const { return field(word_, 14, 12); }
  std::uint32_t funct7() const { return field(word_, 31, 25); }
  std::int32_t imm_i() const { return static_cast<std::int32_t>(word_) >> 20; }
  std::int32_t imm_s() const {
    return (static_cast<std::int32_t>(word_ & 0xfe000000U) >> 20) | static_cast<std::int32_t>(field(word_, 11, 7));
  }
  std::int32_t imm_b() const {
    return (static_cast<std::int32_t>(word_ & 0x80000000U) >> 19) |
           static_cast<std::int32_t>((field(word_, 7, 7) << 11) | (field(word_, 30, 25) << 5) |
                                     (field(word_, 11, 8) << 1));
  }
  std::int32_t imm_j() const {
    return (static_cast<std::int32_t>(word_ & 0x80000000U) >> 11) |
           static_cast<std::int32_t>((field(word_, 19, 12) << 12) | (field(word_, 20, 20) << 11) |
                                     (field(word_, 30, 21) << 1));
  }

  void use(Operation op, unsigned uses, std::int32_t imm) {
    const auto rd = static_cast<std::uint8_t>((uses & kRd) != 0 ? field(word_, 11, 7) : 0);
    const auto rs1 = static_cast<std::uint8_t>((uses & kRs1) != 0 ? field(word_, 19, 15) : 0);
    const auto rs2 = static_cast<std::uint8_t>((uses & kRs2) != 0 ? field(word_, 24, 20) : 0);
    const unsigned limit = params_.registers();
    if (rd >= limit || rs1 >= limit || rs2 >= limit) return;
    out_.op = op;
    out_.rd = rd;
    out_.rs1 = rs1;
    out_.rs2 = rs2;
    out_.imm = imm;
  }

  void block_operation() {
    static constexpr Operation kOps[3] = {Operation::cbo_inval, Operation::cbo_clean, Operation::cbo_flush};
    const std::uint32_t number = field(word_, 31, 20);
    if (number < std::size(kOps) && field(word_, 11, 7) == 0) use(kOps[number], kRs1, 0);
  }

  void branch() {
    static constexpr Operation kOps[8] = {Operation::beq, Operation::bne, Operation::illegal, Operation::illegal,
                                          Operation::blt, Operation::bge, Operation::bltu,    Operation::bgeu};
    const Operation op = kOps[funct3()];
    if (op != Operation::illegal) use(op, kRs1 | kRs2, imm_b());
  }

  void load() {
    static constexpr Operation kOps[8] = {Operation::lb,  Operation::lh,  Operation::lw,  Operation::ld,
                                          Operation::lbu, Operation::lhu, Operation::lwu, Operation::illegal};
    const Operation op = kOps[funct3()];
    const bool exists = op == Operation::ld || op == Operation::lwu ? wide() : op != Operation::illegal;
    if (exists) use(op, kRd | kRs1, imm_i());
  }

  void store() {
    static constexpr Operation kOps[4] = {Operation::sb, Operation::sh, Operation::sw, Operation::sd};
    if (funct3() < (wide() ? 4U : 3U)) use(kOps[funct3()], kRs1 | kRs2, imm_s());
  }

  void op_imm() {
    const auto shift = static_cast<std::int32_t>(field(word_, wide() ? 25 : 24, 20));
    switch (funct3()) {
      case 0:
        use(Operation::addi, kRd | kRs1, imm_i());
        break;
      case 2:
        // `slti x0, x0, n` with n above 0 is Trapeze's marker; it does nothing else.
        use(isa::encoding::kMarker.is(word_) && field(word_, 31, 20) != 0 ? Operation::slti_marker : Operation::slti,
            kRd | kRs1, imm_i());
        break;
      case 3:
        use(Operation::sltiu, kRd | kRs1, imm_i());
        break;
      case 4:
        use(Operation::xori, kRd | kRs1, imm_i());
        break;
      case 6:
        use(Operation::ori, kRd | kRs1, imm_i());
        break;
      case 7:
        use(Operation::andi, kRd | kRs1, imm_i());
        break;
      case 1:
        shift_left(shift);
        break;
      default:
        shift_right(shift);
        break;
    }
  }

  /** funct7 of a shift by an immediate, whose amount has a sixth bit on RV64. */
  std::uint32_t shift_function() const { return wide() ? funct7() & ~1U : funct7(); }

  void shift_left(std::int32_t shift) {
    switch (shift_function()) {
      case 0x00:
        use(Operation::slli, kRd | kRs1, shift);
        break;
      case 0x14:
        immediate_if(params_.zbs, Operation::bseti, shift);
        break;
      case 0x24:
        immediate_if(params_.zbs, Operation::bclri, shift);
        break;
      case 0x34:
        immediate_if(params_.zbs, Operation::binvi, shift);
        break;
      case 0x30:
        switch (shift) {
          case 0:
            immediate_if(params_.zbb, Operation::clz, 0);
            break;
          case 1:
            immediate_if(params_.zbb, Operation::ctz, 0);
            break;
          case 2:
            immediate_if(params_.zbb, Operation::cpop, 0);
            break;
          case 4:
            immediate_if(params_.zbb, Operation::sextb, 0);
            break;
          case 5:
            immediate_if(params_.zbb, Operation::sexth, 0);
            break;
          default:
            break;
        }
        break;
      default:
        break;
    }
  }

  void shift_right(std::int32_t shift) {
    switch (shift_function()) {
      case 0x00:
        use(Operation::srli, kRd | kRs1, shift);
        break;
      case 0x20:
        use(Operation::srai, kRd | kRs1, shift);
        break;
      case 0x24:
        immediate_if(params_.zbs, Operation::bexti, shift);
        break;
      case 0x30:
        immediate_if(params_.zbb, Operation::rori, shift);
        break;
      default:
        break;
    }
    if (field(word_, 31, 20) == 0x287) immediate_if(params_.zbb, Operation::orcb, 0);
    if (field(word_, 31, 20) == (wide() ? 0x6b8U : 0x698U)) immediate_if(params_.zbb, Operation::rev8, 0);
  }

  void immediate_if(bool present, Operation op, std::int32_t imm) {
    if (present) use(op, kRd | kRs1, imm);
  }

  void register_if(bool present, Operation op) {
    if (present) use(op, kRd | kRs1 | kRs2, 0);
  }

  void op_register() {
    using Op = Operation;
    static constexpr Op kBase[8] = {Op::add, Op::sll, Op::slt, Op::sltu, Op::xor_, Op::srl, Op::or_, Op::and_};
    static constexpr Op kMultiply[8] = {Op::mul, Op::mulh, Op::mulhsu, Op::mulhu, Op::div, Op::divu, Op::rem, Op::remu};
    const std::uint32_t f3 = funct3();
    switch (funct7()) {
      case 0x00:
        register_if(true, kBase[f3]);
        break;
      case 0x01:
        register_if(params_.m, kMultiply[f3]);
        break;
      case 0x20:
        if (f3 == 0) register_if(true, Op::sub);
        if (f3 == 5) register_if(true, Op::sra);
        if (f3 == 4) register_if(params_.zbb, Op::xnor);
        if (f3 == 6) register_if(params_.zbb, Op::orn);
        if (f3 == 7) register_if(params_.zbb, Op::andn);
        break;
      case 0x10:
        if (f3 == 2) register_if(params_.zba, Op::sh1add);
        if (f3 == 4) register_if(params_.zba, Op::sh2add);
        if (f3 == 6) register_if(params_.zba, Op::sh3add);
        break;
      case 0x05:
        if (f3 == 4) register_if(params_.zbb, Op::min);
        if (f3 == 5) register_if(params_.zbb, Op::minu);
        if (f3 == 6) register_if(params_.zbb, Op::max);
        if (f3 == 7) register_if(params_.zbb, Op::maxu);
        break;
      case 0x04:
        if (f3 == 4 && !wide() && field(word_, 24, 20) == 0) immediate_if(params_.zbb, Op::zexth, 0);
        break;
      case 0x30:
        if (f3 == 1) register_if(params_.zbb, Op::rol);
        if (f3 == 5) register_if(params_.zbb, Op::ror);
        break;
      case 0x14:
        if (f3 == 1) register_if(params_.zbs, Op::bset);
        break;
      case 0x24:
        if (f3 == 1) register_if(params_.zbs, Op::bclr);
        if (f3 == 5) register_if(params_.zbs, Op::bext);
        break;
      case 0x34:
        if (f3 == 1) register_if(params_.zbs, Op::binv);
        break;
      default:
        break;
    }
  }

  /** OP-IMM-32. */
  void op_imm_word() {
    using Op = Operation;
    const std::uint32_t amount = field(word_, 24, 20);
    const auto shift = static_cast<std::int32_t>(amount);
    static constexpr Op kCounts[3] = {Op::clzw, Op::ctzw, Op::cpopw};
    switch (funct3()) {
      case 0:
        use(Op::addiw, kRd | kRs1, imm_i());
        break;
      case 1:
        if (funct7() == 0) immediate_if(true, Op::slliw, shift);
        if (shift_function() == 0x04) {
          immediate_if(params_.zba, Op::slliuw, static_cast<std::int32_t>(field(word_, 25, 20)));
        }
        if (funct7() == 0x30 && amount < std::size(kCounts)) immediate_if(params_.zbb, kCounts[amount], 0);
        break;
      case 5:
        if (funct7() == 0) immediate_if(true, Op::srliw, shift);
        if (funct7() == 0x20) immediate_if(true, Op::sraiw, shift);
        if (funct7() == 0x30) immediate_if(params_.zbb, Op::roriw, shift);
        break;
      default:
        break;
    }
  }

  /** OP-32. */
  void op_register_word() {
    using Op = Operation;
    const std::uint32_t f3 = funct3();
    switch (funct7()) {
      case 0x00:
        if (f3 == 0) register_if(true, Op::addw);
        if (f3 == 1) register_if(true, Op::sllw);
        if (f3 == 5) register_if(true, Op::srlw);
        break;
      case 0x20:
        if (f3 == 0) register_if(true, Op::subw);
        if (f3 == 5) register_if(true, Op::sraw);
        break;
      case 0x01: {
        static constexpr Op kMultiply[8] = {Op::mulw, Op::illegal, Op::illegal, Op::illegal,
                                            Op::divw, Op::divuw,   Op::remw,    Op::remuw};
        register_if(params_.m && kMultiply[f3] != Op::illegal, kMultiply[f3]);
        break;
      }
      case 0x04:
        if (f3 == 0) register_if(params_.zba, Op::adduw);
        if (f3 == 4 && field(word_, 24, 20) == 0) immediate_if(params_.zbb, Op::zexth, 0);
        break;
      case 0x10:
        if (f3 == 2) register_if(params_.zba, Op::sh1adduw);
        if (f3 == 4) register_if(params_.zba, Op::sh2adduw);
        if (f3 == 6) register_if(params_.zba, Op::sh3adduw);
        break;
      case 0x30:
        if (f3 == 1) register_if(params_.zbb, Op::rolw);
        if (f3 == 5) register_if(params_.zbb, Op::rorw);
        break;
      default:
        break;
    }
  }

  /** AMO: aq and rl order accesses that this model makes in order anyway. */
  void atomic() {
    struct Pair {
      std::uint32_t funct5;
      Operation word, double_word;
    };
    using Op = Operation;
    static constexpr Pair kOps[] = {
        {0x02, Op::lr_w, Op::lr_d},           {0x03, Op::sc_w, Op::sc_d},
        {0x01, Op::amoswap_w, Op::amoswap_d}, {0x00, Op::amoadd_w, Op::amoadd_d},
        {0x04, Op::amoxor_w, Op::amoxor_d},   {0x0c, Op::amoand_w, Op::amoand_d},
        {0x08, Op::amoor_w, Op::amoor_d},     {0x10, Op::amomin_w, Op::amomin_d},
        {0x14, Op::amomax_w, Op::amomax_d},   {0x18, Op::amominu_w, Op::amominu_d},
        {0x1c, Op::amomaxu_w, Op::amomaxu_d},
    };
    if (funct3() != 2 && (funct3() != 3 || !wide())) return;
    for (const Pair& pair : kOps) {
      if (field(word_, 31, 27) != pair.funct5) continue;
      const bool reserves = pair.word == Op::lr_w;
      if (reserves && field(word_, 24, 20) != 0) return;
      use(funct3() == 2 ? pair.word : pair.double_word, kRd | kRs1 | (reserves ? 0U : kRs2), 0);
    }
  }

  void system() {
    const std::uint32_t f3 = funct3();
    if (f3 == 4) return;
    if (f3 != 0) {
      const bool immediate = f3 >= 5;
      use(Operation::csr, immediate ? kRd : kRd | kRs1, static_cast<std::int32_t>(field(word_, 31, 20)));
      if (out_.op != Operation::csr) return;
      if (immediate) out_.rs1 = static_cast<std::uint8_t>(field(word_, 19, 15));
      out_.rs2 = static_cast<std::uint8_t>(f3);
      return;
    }
    if ((word_ & 0xfe007fffU) == 0x12000073) {
      if (params_.supervisor) use(Operation::sfence_vma, kRs1 | kRs2, 0);
      return;
    }
    if (isa::encoding::kSenduipi.is(word_)) {
      if (params_.user_posts) use(Operation::senduipi, kRs1, 0);
      return;
    }
    switch (word_) {
      case 0x00000073:
        use(Operation::ecall, kNone, 0);
        break;
      case 0x00100073:
        use(Operation::ebreak, kNone, 0);
        break;
      case 0x30200073:
        use(Operation::mret, kNone, 0);
        break;
      case 0x10200073:
        if (params_.supervisor) use(Operation::sret, kNone, 0);
        break;
      case kEmret:
        if (params_.fast) use(Operation::emret, kNone, 0);
        break;
      case kUret:
        if (params_.user_interrupts) use(Operation::uret, kNone, 0);
        break;
      case kEuret:
        if (params_.user_interrupts && params_.fast) use(Operation::euret, kNone, 0);
        break;
      case 0x10500073:
        use(Operation::wfi, kNone, 0);
        break;
      default:
        break;
    }
  }

  std::uint32_t word_;
  const Params& params_;
  Decoded out_;
};

}  // namespace

Decoded decode(std::uint32_t word, const Params& params) {
  if (instruction_size(word, params.c) == 4) {
    Decoded out = Decoder(word, params).run();
    out.insn = word;
    return out;
  }
  const auto half = static_cast<std::uint16_t>(word);
  const std::uint32_t expanded = expand_compressed(half, params.xlen);
  Decoded out = expanded == 0 ? Decoded{} : Decoder(expanded, params).run();
  // A HINT of the C extension is not the marker, which is a 32-bit instruction; no expansion gives one.
  out.size = 2;
  out.insn = half;
  return out;
}

}  // namespace trapeze::model

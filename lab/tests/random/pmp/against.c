/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/*
 * Memory protection by random rows, as a program for any RV32 machine with
 * QEMU's memory map: prints for each draw of rows what the registers hold then
 * (a hash) and what became of accesses around the regions' edges (another one).
 * Test:
 * ../test_pmp_against_qemu.py. No start-up code and no data: code in imem,
 * stack in smem, what is accessed in dmem.
 *
 * SEED, DRAWS   of the random numbers; how often rows are drawn
 * LOCKS         1: rows may be locked, and rows 0 to 3 keep machine mode its
 * code, stack and devices SECCFG        what mseccfg is before the rows are
 * drawn (with LOCKS) SHOW          1: every access on a line of its own, to see
 * where two machines part
 */
#include <stdint.h>

#define ROWS 16U
#define AREA 0x80101000U
#define AREA_SIZE 0x400U
#define STACK 0x80210000U
#define UART ((volatile uint8_t *)0x10000000U)
#define HOST ((volatile uint32_t *)0x00100000U)

/* Everywhere in the area a 32-bit instruction that is illegal begins, at both
 * half-words: SYSTEM, funct12 7. */
#define PATTERN 0x00730073U

#define MSTATUS_MPRV (1U << 17)
#define MSTATUS_MPP (3U << 11)

enum { R = 1, W = 2, X = 4, TOR = 8, NA4 = 16, NAPOT = 24, LOCK = 128 };
enum { MML = 1, MMWP = 2, RLB = 4 };
enum kind { LOAD8, LOAD16, LOAD32, STORE8, STORE16, STORE32, EXECUTE, KINDS };

/* Where a trap goes on, with mcause in a0: in tp, which nothing else uses. In
 * machine mode, with MPRV off. */
__asm__(".section .boot,\"ax\"\n"
        ".globl _start\n"
        "_start: li sp, 0x80210000\n"
        "la t0, trap\n"
        "csrw mtvec, t0\n"
        "j run\n"
        ".balign 64\n"
        "trap: csrr a0, mcause\n"
        "andi a0, a0, 31\n"
        "li t0, 0x20000\n"
        "csrc mstatus, t0\n"
        "jr tp\n"
        ".text\n");

static uint32_t state;

static uint32_t draw(void) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return state;
}

static void put(uint32_t word, char end) {
  for (int shift = 28; shift >= 0; shift -= 4) {
    const uint32_t digit = (word >> shift) & 15U;

    *UART = (uint8_t)(digit < 10U ? '0' + digit : 'a' + digit - 10U);
  }
  *UART = (uint8_t)end;
}

static uint32_t mix(uint32_t hash, uint32_t word) {
  return (hash ^ word) * 16777619U;
}

#define ATTEMPT(instruction)                                                   \
  __asm__ volatile("la tp, 1f\n csrs mstatus, %2\n" instruction                \
                   "\n csrc mstatus, %3\n li a0, 0\n1: mv %0, a0"              \
                   : "=&r"(cause)                                              \
                   : "r"(address), "r"(mode), "r"(MSTATUS_MPRV),               \
                     "r"(PATTERN >> (8U * (address & 1U)))                     \
                   : "a0", "t0", "t1", "tp", "memory")

/* Cause of the exception of an access, 0 if there is none; mode: MPRV to access
 * as user mode does. */
static uint32_t access(enum kind kind, uint32_t address, uint32_t mode) {
  uint32_t cause = 0;

  __asm__ volatile("csrc mstatus, %0" : : "r"(MSTATUS_MPP));
  switch (kind) {
  case LOAD8:
    ATTEMPT("lb t1, 0(%1)");
    break;
  case LOAD16:
    ATTEMPT("lh t1, 0(%1)");
    break;
  case LOAD32:
    ATTEMPT("lw t1, 0(%1)");
    break;
  case STORE8:
    ATTEMPT("sb %4, 0(%1)");
    break;
  case STORE16:
    ATTEMPT("sh %4, 0(%1)");
    break;
  case STORE32:
    ATTEMPT("sw %4, 0(%1)");
    break;
  default:
    if (mode != 0U) {
      __asm__ volatile("la tp, 1f\n csrw mepc, %1\n mret\n1: mv %0, a0"
                       : "=&r"(cause)
                       : "r"(address)
                       : "a0", "t0", "tp", "memory");
    } else {
      __asm__ volatile("la tp, 1f\n jr %1\n1: mv %0, a0"
                       : "=&r"(cause)
                       : "r"(address)
                       : "a0", "t0", "tp", "memory");
    }
    break;
  }
  return cause;
}

#define EACH_ADDRESS(call)                                                     \
  call(0) call(1) call(2) call(3) call(4) call(5) call(6) call(7) call(8)      \
      call(9) call(10) call(11) call(12) call(13) call(14) call(15)

static void address_write(uint32_t row, uint32_t value) {
  switch (row) {
#define WRITE(n)                                                               \
  case n:                                                                      \
    __asm__ volatile("csrw pmpaddr" #n ", %0" : : "r"(value));                 \
    break;
    EACH_ADDRESS(WRITE)
  }
}

static uint32_t address_read(uint32_t row) {
  uint32_t value = 0;

  switch (row) {
#define READ(n)                                                                \
  case n:                                                                      \
    __asm__ volatile("csrr %0, pmpaddr" #n : "=r"(value));                     \
    break;
    EACH_ADDRESS(READ)
  }
  return value;
}

static uint32_t four_read(uint32_t n) {
  uint32_t value = 0;

  switch (n) {
  case 0:
    __asm__ volatile("csrr %0, pmpcfg0" : "=r"(value));
    break;
  case 1:
    __asm__ volatile("csrr %0, pmpcfg1" : "=r"(value));
    break;
  case 2:
    __asm__ volatile("csrr %0, pmpcfg2" : "=r"(value));
    break;
  default:
    __asm__ volatile("csrr %0, pmpcfg3" : "=r"(value));
    break;
  }
  return value;
}

static void four_write(uint32_t n, uint32_t value) {
  switch (n) {
  case 0:
    __asm__ volatile("csrw pmpcfg0, %0" : : "r"(value));
    break;
  case 1:
    __asm__ volatile("csrw pmpcfg1, %0" : : "r"(value));
    break;
  case 2:
    __asm__ volatile("csrw pmpcfg2, %0" : : "r"(value));
    break;
  default:
    __asm__ volatile("csrw pmpcfg3, %0" : : "r"(value));
    break;
  }
}

static void row_write(uint32_t row, uint32_t configuration, uint32_t address) {
  const uint32_t shift = 8U * (row % 4U);

  address_write(row, address);
  four_write(row / 4U, (four_read(row / 4U) & ~(0xffU << shift)) |
                           (configuration << shift));
}

static uint32_t configuration_read(uint32_t row) {
  return (four_read(row / 4U) >> (8U * (row % 4U))) & 0xffU;
}

/*
 * Whether QEMU 7.2 knows what a write of the row does. With MML it takes writes
 * of locked rows, and with RLB it refuses the address below a locked TOR row.
 */
static int agreed(uint32_t row) {
  if ((SECCFG & RLB) != 0U) {
    const uint32_t next = row + 1U < ROWS ? configuration_read(row + 1U) : 0U;

    return (next & (LOCK | NAPOT)) != (LOCK | TOR);
  }
  return (SECCFG & MML) == 0U || (configuration_read(row) & LOCK) == 0U;
}

static uint32_t napot(uint32_t base, uint32_t size) {
  return (base >> 2) | (size / 8U - 1U);
}

static uint32_t random_address(void) {
  const uint32_t word = (AREA >> 2) + draw() % (AREA_SIZE / 4U);

  switch (LOCKS ? 2U + draw() % 6U : draw() % 8U) {
  /* QEMU 7.2 has 32 of the 34 bits of an address. */
  case 0:
    return draw() >> 2;
  case 1:
    return 0x3fffffffU >> (draw() % 30U);
  case 2:
  case 3:
  case 4:
    return word | ((1U << draw() % 8U) - 1U); /* NAPOT of some size */
  default:
    return word;
  }
}

static uint32_t random_configuration(void) {
  uint32_t made = draw() & (R | W | X | NAPOT);

  if ((SECCFG & MML) == 0U && (made & (R | W)) == W) {
    made &= ~(uint32_t)W; /* reserved without mseccfg.MML */
  }
  if (LOCKS && draw() % 8U == 0U) {
    made |= LOCK;
  }
  /* With MML and without RLB rows that machine mode may execute cannot be
   * added. QEMU 7.2 takes one that is such a row, LOCK and W, and refuses two
   * that are not: W and X, and all four. */
  if ((SECCFG & (MML | RLB)) == MML) {
    const uint32_t shared = made & (LOCK | R | W | X);

    if (shared == (LOCK | W) || shared == (W | X) ||
        shared == (LOCK | R | W | X)) {
      made &= ~(uint32_t)W;
    }
  }
  return made;
}

static uint32_t attempts(uint32_t hash) {
  for (uint32_t i = 0; i < 32U; i++) {
    /* An edge of a region, or anywhere. */
    const uint32_t edge = address_read(draw() % ROWS) << 2;
    const uint32_t near =
        (edge - AREA < AREA_SIZE ? edge : AREA + draw() % AREA_SIZE) +
        draw() % 16U - 8U;
    const uint32_t address =
        near - AREA < AREA_SIZE - 4U ? near : AREA + AREA_SIZE / 2U;

    for (uint32_t kind = 0; kind < KINDS; kind++) {
      /* QEMU 7.2 does not judge the second half of an instruction by itself. */
      const uint32_t align = kind == EXECUTE ? 4U : 1U << kind % 3U;
      const uint32_t at = address & ~(align - 1U);

      /* With RLB QEMU 7.2 lets machine mode through locked rows. */
      for (uint32_t user = (SECCFG & RLB) != 0U; user < 2U; user++) {
        const uint32_t cause =
            access((enum kind)kind, at, user ? MSTATUS_MPRV : 0U);

        hash = mix(hash, cause);
        if (SHOW) {
          put(at, ' ');
          put(kind, ' ');
          put(user, ' ');
          put(cause, '\n');
        }
      }
    }
  }
  return hash;
}

__attribute__((noreturn, used)) void run(void) {
  uint32_t first = 0;

  state = SEED * 2654435761U + 1U;
  for (uint32_t at = 0; at < AREA_SIZE; at += 4U) {
    *(volatile uint32_t *)(AREA + at) = PATTERN;
  }
  if (LOCKS) {
    __asm__ volatile("csrw mseccfg, %0"
                     :
                     : "r"(SECCFG & RLB)); /* only while no row is locked */
    row_write(0, NAPOT | LOCK | R | X, napot(0x80000000U, 0x8000U));
    row_write(1, NAPOT | LOCK | R | W, napot(0x80200000U, 0x10000U));
    row_write(2, NA4 | LOCK | R | W, 0x10000000U >> 2);
    row_write(3, NA4 | LOCK | R | W, 0x00100000U >> 2);
    __asm__ volatile("csrs mseccfg, %0" : : "r"(SECCFG));
    first = 4;
  }
  for (uint32_t n = 0; n < DRAWS; n++) {
    uint32_t hash = 0;

    for (uint32_t row = first; row < ROWS; row++) {
      if (draw() % 4U != 0U) {
        const uint32_t configuration = random_configuration();
        const uint32_t address = random_address();

        if (agreed(row)) {
          row_write(row, configuration, address);
        }
      }
    }
    /* QEMU 7.2 looks at where a TOR row begins when the row itself is written.
     */
    for (uint32_t row = 0; row < ROWS; row++) {
      address_write(row, address_read(row));
    }
    for (uint32_t row = 0; row < ROWS; row++) {
      if (SHOW) {
        put(configuration_read(row), ' ');
        put(address_read(row), '\n');
      }
      hash = mix(hash, address_read(row));
    }
    for (uint32_t i = 0; i < ROWS / 4U; i++) {
      hash = mix(hash, four_read(i));
    }
    put(hash, ' ');
    put(attempts(0), '\n');
  }
  *HOST = 0x5555U;
  for (;;) {
  }
}

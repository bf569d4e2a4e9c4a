/* Copyright Trapeze contributors. SPDX-License-Identifier: Apache-2.0 */

/* trapeze-test
summary: an interrupt of a higher level at every distance behind a lower one, each is served once
config: [mcu-clic, mcu-clic-e, mcu-fastirq, mcu-fastirq-e]
engines: [rtl]
qemu: it has no CLIC
irq: ["24@40000:pulse", "25@40000:pulse", "24@41500:pulse", "25@41501:pulse", "24@43000:pulse", "25@43002:pulse",
      "24@44500:pulse", "25@44503:pulse", "24@46000:pulse", "25@46004:pulse", "24@47500:pulse", "25@47505:pulse",
      "24@49000:pulse", "25@49006:pulse", "24@50500:pulse", "25@50507:pulse", "24@52000:pulse", "25@52008:pulse",
      "24@53500:pulse", "25@53509:pulse", "24@55000:pulse", "25@55010:pulse", "24@56500:pulse", "25@56511:pulse",
      "24@58000:pulse", "25@58012:pulse", "24@59500:pulse", "25@59513:pulse", "24@61000:pulse", "25@61014:pulse",
      "24@62500:pulse", "25@62515:pulse", "24@64000:pulse", "25@64016:pulse", "24@65500:pulse", "25@65517:pulse",
      "24@67000:pulse", "25@67018:pulse", "24@68500:pulse", "25@68519:pulse", "24@70000:pulse", "25@70020:pulse",
      "24@71500:pulse", "25@71521:pulse", "24@73000:pulse", "25@73022:pulse", "24@74500:pulse", "25@74523:pulse",
      "24@76000:pulse", "25@76024:pulse", "24@77500:pulse", "25@77525:pulse", "24@79000:pulse", "25@79026:pulse",
      "24@80500:pulse", "25@80527:pulse", "24@82000:pulse", "25@82028:pulse", "24@83500:pulse", "25@83529:pulse",
      "24@85000:pulse", "25@85030:pulse", "24@86500:pulse", "25@86531:pulse", "24@88000:pulse", "25@88032:pulse",
      "24@89500:pulse", "25@89533:pulse", "24@91000:pulse", "25@91034:pulse", "24@92500:pulse", "25@92535:pulse",
      "24@94000:pulse", "25@94036:pulse", "24@95500:pulse", "25@95537:pulse", "24@97000:pulse", "25@97038:pulse",
      "24@98500:pulse", "25@98539:pulse", "24@100000:pulse", "25@100040:pulse", "24@101500:pulse", "25@101541:pulse",
      "24@103000:pulse", "25@103042:pulse", "24@104500:pulse", "25@104543:pulse", "24@106000:pulse", "25@106044:pulse",
      "24@107500:pulse", "25@107545:pulse", "24@109000:pulse", "25@109000:pulse", "24@110500:pulse", "25@110501:pulse",
      "24@112000:pulse", "25@112002:pulse", "24@113500:pulse", "25@113503:pulse", "24@115000:pulse", "25@115004:pulse",
      "24@116500:pulse", "25@116505:pulse", "24@118000:pulse", "25@118006:pulse", "24@119500:pulse", "25@119507:pulse",
      "24@121000:pulse", "25@121008:pulse", "24@122500:pulse", "25@122509:pulse", "24@124000:pulse", "25@124010:pulse",
      "24@125500:pulse", "25@125511:pulse", "24@127000:pulse", "25@127012:pulse", "24@128500:pulse", "25@128513:pulse",
      "24@130000:pulse", "25@130014:pulse", "24@131500:pulse", "25@131515:pulse", "24@133000:pulse", "25@133016:pulse",
      "24@134500:pulse", "25@134517:pulse", "24@136000:pulse", "25@136018:pulse", "24@137500:pulse", "25@137519:pulse",
      "24@139000:pulse", "25@139020:pulse", "24@140500:pulse", "25@140521:pulse", "24@142000:pulse", "25@142022:pulse",
      "24@143500:pulse", "25@143523:pulse", "24@145000:pulse", "25@145024:pulse", "24@146500:pulse", "25@146525:pulse",
      "24@148000:pulse", "25@148026:pulse", "24@149500:pulse", "25@149527:pulse", "24@151000:pulse", "25@151028:pulse",
      "24@152500:pulse", "25@152529:pulse", "24@154000:pulse", "25@154030:pulse", "24@155500:pulse", "25@155531:pulse",
      "24@157000:pulse", "25@157032:pulse", "24@158500:pulse", "25@158533:pulse", "24@160000:pulse", "25@160034:pulse",
      "24@161500:pulse", "25@161535:pulse", "24@163000:pulse", "25@163036:pulse", "24@164500:pulse", "25@164537:pulse",
      "24@166000:pulse", "25@166038:pulse", "24@167500:pulse", "25@167539:pulse", "24@169000:pulse", "25@169040:pulse",
      "24@170500:pulse", "25@170541:pulse", "24@172000:pulse", "25@172042:pulse", "24@173500:pulse", "25@173543:pulse",
      "24@175000:pulse", "25@175044:pulse", "24@176500:pulse", "25@176545:pulse", "24@178000:pulse", "25@178000:pulse",
      "24@179500:pulse", "25@179501:pulse", "24@181000:pulse", "25@181002:pulse", "24@182500:pulse", "25@182503:pulse",
      "24@184000:pulse", "25@184004:pulse", "24@185500:pulse", "25@185505:pulse", "24@187000:pulse", "25@187006:pulse",
      "24@188500:pulse", "25@188507:pulse", "24@190000:pulse", "25@190008:pulse", "24@191500:pulse", "25@191509:pulse",
      "24@193000:pulse", "25@193010:pulse", "24@194500:pulse", "25@194511:pulse", "24@196000:pulse", "25@196012:pulse",
      "24@197500:pulse", "25@197513:pulse", "24@199000:pulse", "25@199014:pulse", "24@200500:pulse", "25@200515:pulse",
      "24@202000:pulse", "25@202016:pulse", "24@203500:pulse", "25@203517:pulse", "24@205000:pulse", "25@205018:pulse",
      "24@206500:pulse", "25@206519:pulse", "24@208000:pulse", "25@208020:pulse", "24@209500:pulse", "25@209521:pulse",
      "24@211000:pulse", "25@211022:pulse", "24@212500:pulse", "25@212523:pulse", "24@214000:pulse", "25@214024:pulse",
      "24@215500:pulse", "25@215525:pulse", "24@217000:pulse", "25@217026:pulse", "24@218500:pulse", "25@218527:pulse",
      "24@220000:pulse", "25@220028:pulse", "24@221500:pulse", "25@221529:pulse", "24@223000:pulse", "25@223030:pulse",
      "24@224500:pulse", "25@224531:pulse", "24@226000:pulse", "25@226032:pulse", "24@227500:pulse", "25@227533:pulse",
      "24@229000:pulse", "25@229034:pulse", "24@230500:pulse", "25@230535:pulse", "24@232000:pulse", "25@232036:pulse",
      "24@233500:pulse", "25@233537:pulse", "24@235000:pulse", "25@235038:pulse", "24@236500:pulse", "25@236539:pulse",
      "24@238000:pulse", "25@238040:pulse", "24@239500:pulse", "25@239541:pulse", "24@241000:pulse", "25@241042:pulse",
      "24@242500:pulse", "25@242543:pulse", "24@244000:pulse", "25@244044:pulse", "24@245500:pulse", "25@245545:pulse"]
expect: |
  PASS
*/
#include "clic_test.h"

/* As many pairs for each way of entry. */
#define PAIRS 46U

enum {
	LOW = IRQ_PLATFORM(24),
	HIGH
};

static volatile uint32_t served[2];

static void handler(void *arg)
{
	uint32_t irq = (uint32_t)arg;

	CHECK_EQ(irq_level_current(), irq == HIGH ? LEVEL_3 : LEVEL_2);
	served[irq - LOW]++;
}

static void play(bool vectored, enum irq_entry entry)
{
	uint32_t before = served[0];

	irq_entry_set(entry);
	irq_vectored_set(LOW, vectored);
	irq_vectored_set(HIGH, vectored);
	irq_unlock_all();
	while (served[0] < before + PAIRS || served[1] < before + PAIRS) {
	}
	(void)irq_lock();
	CHECK_EQ(served[0], before + PAIRS);
	CHECK_EQ(served[1], before + PAIRS);
	CHECK_EQ(irq_level_current(), 0U);
}

int main(void)
{
	test_begin();
	irq_level_bits_set(2U);
	for (unsigned int irq = LOW; irq <= HIGH; irq++) {
		irq_trigger_set(irq, IRQ_TRIGGER_RISING);
		irq_level_set(irq, irq == HIGH ? LEVEL_3 : LEVEL_2);
		(void)irq_connect(irq, handler, (void *)irq);
		irq_enable(irq);
	}
	play(true, IRQ_ENTRY_CAREFUL);
	play(false, IRQ_ENTRY_XNXTI);
	play(false, IRQ_ENTRY_JALXNXTI);
	CHECK_NO_TRAP();
	return test_end();
}

import { registeredChoices } from '../../gateway/api/pos/domain/choices.ts';
import { putBack } from '../../gateway/api/pos/domain/released.ts';
import type { Rows } from '../../gateway/store/port.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import { releasedSales } from './memory.ts';
import type { Memory } from './types.ts';
import { Running, type Work, type WorkParts } from './work.ts';

/** How long goods are reserved for a sale that nobody pays. The register says it too. */
const reservedMs = 15 * 60_000;

/** Puts the goods of a sale back into stock, if it is not paid in time. The sale can still be paid, and takes them again. */
export class Reservations implements Work {
  readonly #parts: WorkParts;
  readonly #memory: Memory;
  readonly #running: Running;
  /** By the ids of sales: what cancels their release. */
  readonly #releases = new Map<string, () => void>();

  constructor(parts: WorkParts, memory: Memory) {
    this.#parts = parts;
    this.#memory = memory;
    this.#running = new Running(parts.log);
    this.#running.add(() =>
      parts.change(async ({ tx }) => this.#await(await tx.list('sales', { where: { status: 'pending' } }))),
    );
  }

  storing(table: string, rows: readonly unknown[]): void {
    if (table === 'sales') this.#await((rows as Row<'sales'>[]).filter(({ status }) => status === 'pending'));
  }

  settle(): Promise<boolean> {
    return this.#running.settle();
  }

  end(): void {
    for (const cancel of this.#releases.values()) cancel();
    this.#releases.clear();
  }

  /** A sale that is older than that is left alone: its goods were never reserved. */
  #await(sales: readonly Row<'sales'>[]): void {
    const now = this.#parts.clock.now();
    for (const { id, created_at } of sales) {
      const dueMs = created_at + reservedMs;
      if (dueMs > now && !this.#releases.has(id)) this.#releaseAt(dueMs, id);
    }
  }

  #releaseAt(dueMs: number, id: string): void {
    const { clock, change } = this.#parts;
    const cancel = clock.after(dueMs - clock.now(), () => {
      this.#releases.delete(id);
      this.#running.add(() => change((step) => this.#release(step, id)));
    });
    this.#releases.set(id, cancel);
  }

  async #release(step: Change, id: string): Promise<void> {
    const sale = await step.tx.get('sales', { id }, { lock: true });
    // Its change was undone, or it was paid.
    if (sale?.status !== 'pending') return;
    if (await isBeingPaid(step.tx, sale)) return this.#releaseAt(step.now + reservedMs, id);
    await putBack(step, sale, { ...registeredChoices, releasedSales: releasedSales(this.#memory) });
  }
}

async function isBeingPaid(rows: Rows, { id, paid }: Row<'sales'>): Promise<boolean> {
  return Number(paid) > 0 || (await rows.count('payments', { sale_id: id, status: 'pending' })) > 0;
}

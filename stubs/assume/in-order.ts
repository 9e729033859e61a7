import type { Row } from '../../gateway/store/tables/index.ts';
import { Running, type Work, type WorkParts } from './work.ts';

/** Makes every endpoint ordered: a delivery that fails holds back those after it. */
export class InOrder implements Work {
  readonly #parts: WorkParts;
  readonly #running: Running;
  /** The endpoints that were not ordered. */
  readonly #others = new Set<string>();

  constructor(parts: WorkParts) {
    this.#parts = parts;
    this.#running = new Running(parts.log);
    this.#running.add(() =>
      parts.change(async ({ tx }) => {
        for (const { id } of await tx.update('endpoints', { ordered: false }, { ordered: true })) this.#others.add(id);
      }),
    );
  }

  storing(table: string, rows: readonly unknown[]): void {
    if (table !== 'endpoints') return;
    for (const row of rows as Row<'endpoints'>[]) {
      if (row.ordered) continue;
      row.ordered = true;
      this.#others.add(row.id);
    }
  }

  settle(): Promise<boolean> {
    return this.#running.settle();
  }

  end(held: 'send' | 'drop'): void {
    if (held === 'drop') return;
    this.#running.add(() =>
      this.#parts.change(({ tx }) => tx.update('endpoints', { id: { in: [...this.#others] } }, { ordered: false })),
    );
  }
}

import { type Rows, StoreUnavailable, type Where } from './port.ts';
import { type Row, type Table, type TableName, tables } from './tables/index.ts';

/** Bounds the statement, and how many reads an error sends on their own. */
const maxReads = 100;

type Key = string | number;

interface Read<T extends TableName> {
  key: Key;
  resolve(row: Row<T> | undefined): void;
  reject(error: unknown): void;
}

interface Batch<T extends TableName> {
  table: T;
  column: string;
  /** The conditions beside the key. All reads of a batch have the same. */
  others: Where<T>;
  reads: Read<T>[];
}

/**
 * Lets reads by key share a statement: those that are asked for in one turn of the event loop, of one table and with the
 * same other conditions. For reads outside transactions only: inside, each read must be a statement of its transaction.
 */
export class SharedReads {
  readonly #rows: Pick<Rows, 'get' | 'list'>;
  readonly #batches = new Map<string, Batch<TableName>>();
  readonly #send = () => this.#sendAll();

  /** `rows` runs the statements. */
  constructor(rows: Pick<Rows, 'get' | 'list'>) {
    this.#rows = rows;
  }

  /** Returns the row with these values. Undefined, and not a promise, if `where` does not name one key of one column. */
  get<T extends TableName>(table: T, where: Where<T>): Promise<Row<T> | undefined> | undefined {
    const { key: columns }: Table = tables[table];
    const [column = '', ...more] = columns;
    const { [column]: key, ...others } = where as Record<string, unknown>;
    if (more.length > 0 || (typeof key !== 'string' && typeof key !== 'number')) return undefined;
    const batch = this.#batchOf(table, column, others as Where<T>);
    return new Promise((resolve, reject) => {
      batch.reads.push({ key, resolve, reject });
      if (batch.reads.length === maxReads) this.#sendAll();
    });
  }

  #batchOf<T extends TableName>(table: T, column: string, others: Where<T>): Batch<T> {
    const name = `${table} ${JSON.stringify(others)}`;
    const known = this.#batches.get(name) as Batch<T> | undefined;
    if (known) return known;
    // `setImmediate` runs once, after all sockets that are readable now were read. A microtask would run after each single
    // socket.
    if (this.#batches.size === 0) setImmediate(this.#send);
    const batch: Batch<T> = { table, column, others, reads: [] };
    this.#batches.set(name, batch);
    return batch;
  }

  #sendAll(): void {
    const batches = [...this.#batches.values()];
    this.#batches.clear();
    for (const batch of batches) void this.#read(batch);
  }

  async #read<T extends TableName>(batch: Batch<T>): Promise<void> {
    const { table, column, others, reads } = batch;
    if (reads.length === 1) return this.#readAlone(batch, reads[0] as Read<T>);
    try {
      const keys = [...new Set(reads.map(({ key }) => key))];
      const found = await this.#rows.list(table, { where: { ...others, [column]: { in: keys } } as Where<T> });
      const byKey = new Map(found.map((row) => [row[column as keyof Row<T>] as Key, row]));
      for (const { key, resolve } of reads) {
        const row = byKey.get(key);
        // Each caller has a row of its own, as if it had read alone.
        resolve(row && { ...row });
      }
    } catch (error) {
      // One key that the database refuses must not fail the other reads.
      if (error instanceof StoreUnavailable) for (const { reject } of reads) reject(error);
      else await Promise.all(reads.map((read) => this.#readAlone(batch, read)));
    }
  }

  async #readAlone<T extends TableName>({ table, column, others }: Batch<T>, { key, resolve, reject }: Read<T>): Promise<void> {
    await this.#rows.get(table, { ...others, [column]: key } as Where<T>).then(resolve, reject);
  }
}

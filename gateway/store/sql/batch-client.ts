import pg from 'pg';
import type { Answer, Connection, Statement } from './connection.ts';

/** What this file needs of the driver's connection, which its types leave out. */
interface Wire {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  close(message: { type: 'S'; name: string }): void;
  bind(message: { statement: string; values: unknown[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: object): void;
  sync(): void;
}

type Columns = { name: string; parse: (text: string) => unknown }[];

interface Waiting {
  statement: Statement;
  values: (string | null)[];
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Named statements of one connection: the columns of those that are prepared, or undefined if they may be prepared. */
type Prepared = Map<string, Columns | undefined>;

/** Settings of PostgreSQL, in milliseconds. */
export type PooledLimits = Readonly<Record<string, number>>;

export interface BatchClientConfig extends pg.ClientConfig {
  /**
   * For connections through a pooler, where each transaction may run on another connection of the server: these limits are set in
   * each transaction, and no statement is prepared.
   */
  pooledLimits?: PooledLimits | undefined;
}

/**
 * The error of statements that follow a failed one. Its code is the one that PostgreSQL would answer (in_failed_sql_transaction).
 */
const skipped = () => Object.assign(new Error('An earlier statement of the batch failed.'), { code: '25P02' });

/**
 * A client that sends the statements of one turn of the event loop together and ends them with one Sync. The server answers
 * them together too: most of a short statement's cost is a system call on each side. After a failed statement the server
 * skips the rest of the batch, so a `commit` in it does not run.
 */
export class BatchClient extends pg.Client implements Connection {
  readonly #prepared: Prepared = new Map();
  /** Sets the limits, on a connection through a pooler. */
  readonly #limits: Waiting | undefined;
  #waiting: Waiting[] = [];

  constructor(options?: BatchClientConfig) {
    super(options);
    this.#limits = options?.pooledLimits && limitation(options.pooledLimits);
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's signatures take texts, configurations and submittables
  override query(...input: any[]): any {
    const [first] = input;
    return isStatement(first) ? this.#gather(first) : (super.query as (...args: unknown[]) => unknown).apply(this, input);
  }

  #gather(statement: Statement): Promise<Answer> {
    // Serialized here: a value that cannot be sent must throw before anything is sent.
    const values = statement.values.map(serialized);
    const { text } = statement;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statement: this.#limits ? { text, values: [] } : statement, values, resolve, reject });
      // After the promises that are ready now, whose callers may add statements.
      if (this.#waiting.length === 1) process.nextTick(() => this.#send());
    });
  }

  #send(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const [prepared, limits] = [this.#prepared, this.#limits];
    const isInTransaction = () => this.getTransactionStatus() !== 'I';
    this.query(new Batch({ waiting, prepared, limits, isInTransaction, onTimeout: () => void this.end() }));
  }
}

/**
 * Returns a statement that sets limits until the transaction ends. Outside a transaction, PostgreSQL treats the statements of a
 * batch as one transaction.
 */
function limitation(limits: PooledLimits): Waiting {
  const settings = Object.entries(limits).map(([name, ms]) => `set_config('${name}', '${ms}', true)`);
  const ignore = () => {};
  return { statement: { text: `select ${settings.join(', ')}`, values: [] }, values: [], resolve: ignore, reject: ignore };
}

/** Returns the text of a value for PostgreSQL: of a string, number, boolean, or array of these. */
function serialized(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? `{${value.map(element).join()}}` : String(value);
}

const element = (value: unknown) => (value === null ? 'NULL' : `"${String(value).replace(/["\\]/g, '\\$&')}"`);

const isStatement = (input: unknown): input is Statement =>
  typeof input === 'object' && input !== null && 'values' in input && !('submit' in input);

interface BatchParts {
  waiting: Waiting[];
  prepared: Prepared;
  /** Sent within each transaction that the batch begins. */
  limits: Waiting | undefined;
  /** Called when the batch is sent. */
  isInTransaction(): boolean;
  onTimeout(): void;
}

/** A query of the driver: it calls `submit` when the connection is free, and then a method for each message of the server. */
class Batch {
  readonly #waiting: Waiting[];
  readonly #prepared: Prepared;
  readonly #limits: Waiting | undefined;
  readonly #isInTransaction: () => boolean;
  #columns: Columns = [];
  #rows: Answer['rows'] = [];
  #answered = 0;
  /** The driver replaces it if queries have a timeout, and calls it when that is over. */
  callback: (error?: Error) => void;

  constructor({ waiting, prepared, limits, isInTransaction, onTimeout }: BatchParts) {
    this.#waiting = waiting;
    this.#prepared = prepared;
    this.#limits = limits;
    this.#isInTransaction = isInTransaction;
    this.callback = (error) => {
      if (!error) return;
      this.#failRest(error);
      onTimeout();
    };
  }

  submit(connection: Wire): null {
    // After the statement that begins a transaction, because it sets the isolation level, which no statement may precede.
    if (this.#limits && !this.#isInTransaction())
      this.#waiting.splice(this.#waiting[0]?.statement.text.startsWith('start transaction') ? 1 : 0, 0, this.#limits);
    const parsed = new Set<string>();
    connection.stream.cork();
    for (const { statement, values } of this.#waiting) {
      const { name = '', text } = statement;
      if (name === '' || !(this.#prepared.get(name) || parsed.has(name))) {
        // PostgreSQL would refuse a name that is already in use. Closing a name that is not in use is not an error.
        if (this.#prepared.has(name)) connection.close({ type: 'S', name });
        connection.parse({ name, text });
        if (name !== '') parsed.add(name);
      }
      connection.bind({ statement: name, values });
      if (!this.#prepared.get(name)) connection.describe({ type: 'P', name: '' });
      connection.execute({});
    }
    for (const name of parsed) this.#prepared.set(name, undefined);
    connection.sync();
    connection.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: pg.types.getTypeParser(dataTypeID, 'text') }));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const { name } = this.#statement;
    const columns = (name !== undefined && this.#prepared.get(name)) || this.#columns;
    const row: Record<string, unknown> = {};
    for (const [index, column] of columns.entries()) {
      const value = fields[index];
      row[column.name] = value === null || value === undefined ? null : column.parse(value);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#statement;
    if (name !== undefined && !this.#prepared.get(name)) this.#prepared.set(name, this.#columns);
    const count = /\d+$/.exec(text)?.[0];
    this.#waiting[this.#answered++]?.resolve({ rows: this.#rows, rowCount: count === undefined ? null : Number(count) });
    this.#columns = [];
    this.#rows = [];
  }

  /** The server refused the current statement, or the connection is lost. */
  handleError(error: Error & { severity?: string }): void {
    this.callback();
    this.#waiting[this.#answered++]?.reject(error);
    this.#failRest(error.severity === 'ERROR' ? skipped() : error);
  }

  handleReadyForQuery(): void {
    this.callback();
  }

  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handlePortalSuspended(): void {}

  get #statement(): Statement {
    return (this.#waiting[this.#answered] as Waiting).statement;
  }

  #failRest(error: unknown): void {
    for (const { reject } of this.#waiting.slice(this.#answered)) reject(error);
    this.#answered = this.#waiting.length;
  }
}

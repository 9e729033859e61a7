import { type PGlite, protocol } from '@electric-sql/pglite';
import { type Answer, type Notification, type Row, readAnswer } from './answer.ts';

/** The cached parts of a statement with parameters. */
interface Prepared {
  /** The messages that parse and describe the statement. */
  head: Uint8Array;
  parameterTypes: number[];
}

const { serialize } = protocol;
const sync = serialize.sync();
const executeAndSync = Buffer.concat([serialize.execute(), sync]);
const maxPrepared = 500;

/** Commands that cannot change the parameter types of statements. Any other command clears the cache. */
const commandsWithoutDdl = new Set(
  'SELECT INSERT UPDATE DELETE MERGE COPY BEGIN START COMMIT SAVEPOINT RELEASE LISTEN UNLISTEN NOTIFY'.split(' '),
);

/**
 * Runs statements on PGlite with one call to the database each. PGlite's `query` makes six calls (decision 002). Statements are
 * planned anew each time: a cached generic plan would not use partial indexes or notice that tables grow.
 *
 * It bypasses PGlite's queue, so the caller must wait for one statement before it runs the next.
 */
export class PgliteStatements {
  readonly #pglite: PGlite;
  readonly #notify: (notification: Notification) => void;
  readonly #prepared = new Map<string, Prepared>();
  #inTransaction = false;

  constructor(pglite: PGlite, notify: (notification: Notification) => void) {
    this.#pglite = pglite;
    this.#notify = notify;
  }

  get inTransaction(): boolean {
    return this.#inTransaction;
  }

  /** Without values, `text` may contain several statements. Returns the rows of the last one. */
  async run(text: string, values: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number }> {
    const { rows, affectedRows } =
      values.length === 0 ? await this.#ask([serialize.query(text)]) : await this.#bound(text, values);
    return { rows, rowCount: rows.length || affectedRows };
  }

  async #bound(text: string, values: readonly unknown[]): Promise<Answer> {
    const prepared = this.#prepared.get(text) ?? (await this.#describe(text));
    const texts = values.map((value, index) => this.#serialized(value, prepared.parameterTypes[index]));
    // Moves the statement to the end of the map, the most recently used. A statement that fails is not cached again.
    this.#prepared.delete(text);
    if (this.#prepared.size >= maxPrepared) this.#prepared.delete(this.#prepared.keys().next().value as string);
    const answer = await this.#ask([prepared.head, bindMessage(texts), executeAndSync]);
    this.#prepared.set(text, prepared);
    return answer;
  }

  async #describe(text: string): Promise<Prepared> {
    const head = Buffer.concat([serialize.parse({ text }), serialize.describe({ type: 'S' })]);
    const { parameterTypes } = await this.#ask([head, sync]);
    return { head, parameterTypes };
  }

  #serialized(value: unknown, typeId = 0): string | null {
    if (value === null || value === undefined) return null;
    const serializer = this.#pglite.serializers[typeId];
    return String(serializer ? serializer(value) : value);
  }

  async #ask(messages: Uint8Array[]): Promise<Answer> {
    const chunks: Buffer[] = [];
    await this.#pglite.execProtocolRawStream(Buffer.concat(messages), {
      syncToFs: false, // On Node, PGlite writes directly to the file system.
      onRawData: (chunk) => chunks.push(Buffer.from(chunk)), // Copied, because the database reuses its buffer.
    });
    const answer = readAnswer(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks), this.#pglite.parsers);
    this.#inTransaction = answer.inTransaction;
    for (const notification of answer.notifications) this.#notify(notification);
    if (!answer.commands.every((command) => commandsWithoutDdl.has(command))) this.#prepared.clear();
    if (answer.error) throw answer.error;
    return answer;
  }
}

/** Binds the unnamed statement to the unnamed portal, with values and results in text format. */
function bindMessage(values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), 13));
  bytes.write('B');
  bytes.writeInt32BE(bytes.length - 1, 1);
  // Empty names of portal and statement, and no format codes, which means text.
  bytes.writeInt32BE(0, 5);
  let at = bytes.writeUInt16BE(values.length, 9);
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index] as number, at);
    if (value !== null) at += bytes.write(value, at);
  }
  bytes.writeInt16BE(0, at);
  return bytes;
}

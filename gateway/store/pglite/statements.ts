import { type PGlite, protocol } from '@electric-sql/pglite';
import { type Answer, type Notification, type Row, readAnswer } from './answer.ts';

interface Result {
  rows: Row[];
  rowCount: number;
}

/** What is kept of a text with parameters, for when it comes again. */
interface Known {
  /** The messages that parse and describe it. */
  head: Uint8Array;
  parameterTypes: number[];
}

const { serialize } = protocol;
const sync = serialize.sync();
const executeAndSync = Buffer.concat([serialize.execute(), sync]);
const mostKnown = 500;

/** Commands that leave every statement's parameter types as they are; after any other they are asked for again. */
const harmless = new Set(
  'SELECT INSERT UPDATE DELETE MERGE COPY BEGIN START COMMIT SAVEPOINT RELEASE LISTEN UNLISTEN NOTIFY'.split(' '),
);

/**
 * Statements on PGlite, each in one call to the database where `query` of PGlite makes six: half the time for a single
 * row. A text is parsed and planned anew each time, for its own parameters: a plan that is kept would neither use
 * partial indexes nor notice that its tables grow.
 *
 * This passes PGlite's own queue by: whoever calls waits for one statement before the next.
 */
export class PgliteStatements {
  readonly #pglite: PGlite;
  readonly #notify: (notification: Notification) => void;
  readonly #known = new Map<string, Known>();

  constructor(pglite: PGlite, notify: (notification: Notification) => void) {
    this.#pglite = pglite;
    this.#notify = notify;
  }

  /** Without values, a text may hold several statements; the rows are the last one's. */
  async run(text: string, values: readonly unknown[]): Promise<Result> {
    const { rows, affectedRows } =
      values.length === 0 ? await this.#ask([serialize.query(text)]) : await this.#bound(text, values);
    return { rows, rowCount: rows.length || affectedRows };
  }

  async #bound(text: string, values: readonly unknown[]): Promise<Answer> {
    const known = this.#known.get(text) ?? (await this.#describe(text));
    const texts = values.map((value, index) => this.#serialized(value, known.parameterTypes[index]));
    // The texts used last come last, and one that fails is not kept.
    this.#known.delete(text);
    if (this.#known.size >= mostKnown) this.#known.delete(this.#known.keys().next().value as string);
    const answer = await this.#ask([known.head, bindMessage(texts), executeAndSync]);
    this.#known.set(text, known);
    return answer;
  }

  async #describe(text: string): Promise<Known> {
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
      syncToFs: false, // Node writes as it goes: there is nothing to sync.
      onRawData: (chunk) => chunks.push(Buffer.from(chunk)), // A copy: the database uses its buffer again.
    });
    const answer = readAnswer(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks), this.#pglite.parsers);
    for (const notification of answer.notifications) this.#notify(notification);
    if (!answer.commands.every((command) => harmless.has(command))) this.#known.clear();
    if (answer.error) throw answer.error;
    return answer;
  }
}

/** Binds the unnamed statement to the unnamed portal, every value as text, and asks for text back. */
function bindMessage(values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), 13));
  bytes.write('B');
  bytes.writeInt32BE(bytes.length - 1, 1);
  // The names of portal and statement, both empty, and no formats, which means text.
  bytes.writeInt32BE(0, 5);
  let at = bytes.writeUInt16BE(values.length, 9);
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(lengths[index] as number, at);
    if (value !== null) at += bytes.write(value, at);
  }
  bytes.writeInt16BE(0, at);
  return bytes;
}

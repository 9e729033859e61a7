export type Row = Record<string, unknown>;
/** Parsers of a column's text, by the id of its type. */
export type Parsers = Record<number | string, (text: string, typeId?: number) => unknown>;

export interface Notification {
  channel: string;
  payload: string;
}

/** The database's response to one call. */
export interface Answer {
  /** The rows of the last statement. */
  rows: Row[];
  /** Rows changed by all statements. */
  affectedRows: number;
  /** The first word of each statement's command tag, such as SELECT. */
  commands: string[];
  /** Ids of the types of a described statement's parameters. */
  parameterTypes: number[];
  notifications: Notification[];
  /** A transaction is open after the last statement. */
  inTransaction: boolean;
  /** The first error. PostgreSQL runs no statement after it. */
  error: Error | undefined;
}

interface Column {
  name: string;
  typeId: number;
  parse: Parsers[string] | undefined;
}

const code = (letter: string) => letter.charCodeAt(0);
const kinds = {
  rowDescription: code('T'),
  dataRow: code('D'),
  commandComplete: code('C'),
  parameterDescription: code('t'),
  notification: code('A'),
  error: code('E'),
};
/** The status in the last message, which says that the database is ready for the next statement outside a transaction. */
const idle = code('I');
const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'COPY', 'MERGE']);

/** Reads PostgreSQL's wire protocol into rows. Faster than PGlite's reader: see decision 002. */
export function readAnswer(bytes: Buffer, parsers: Parsers): Answer {
  const answer: Answer = {
    rows: [],
    affectedRows: 0,
    commands: [],
    parameterTypes: [],
    notifications: [],
    inTransaction: bytes.at(-1) !== idle,
    error: undefined,
  };
  let columns: Column[] = [];
  let rows: Row[] = [];
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
    const body = at + 5;
    switch (bytes[at]) {
      case kinds.rowDescription:
        columns = readColumns(bytes, body, parsers);
        break;
      case kinds.dataRow:
        rows.push(readRow(bytes, body, columns));
        break;
      case kinds.commandComplete:
        countCommand(answer, readCString(bytes, body));
        answer.rows = rows;
        rows = [];
        break;
      case kinds.parameterDescription:
        answer.parameterTypes = readTypes(bytes, body);
        break;
      case kinds.notification:
        answer.notifications.push(readNotification(bytes, body));
        break;
      case kinds.error:
        answer.error ??= readError(bytes, body);
    }
  }
  return answer;
}

/** Reads a command tag such as `UPDATE 3`, `INSERT 0 5` or `CREATE TABLE`. */
function countCommand(answer: Answer, tag: string): void {
  const words = tag.split(' ');
  const command = words[0] as string;
  answer.commands.push(command);
  if (changing.has(command)) answer.affectedRows += Number(words.at(-1));
}

function readColumns(bytes: Buffer, start: number, parsers: Parsers): Column[] {
  const columns: Column[] = [];
  const count = bytes.readInt16BE(start);
  let at = start + 2;
  for (let index = 0; index < count; index++) {
    const end = bytes.indexOf(0, at);
    // After the name: the table's id (4 bytes), the column's number (2), the type's id (4), then 8 bytes on size and format.
    const typeId = bytes.readInt32BE(end + 7);
    columns.push({ name: bytes.toString('utf8', at, end), typeId, parse: parsers[typeId] });
    at = end + 19;
  }
  return columns;
}

function readRow(bytes: Buffer, start: number, columns: readonly Column[]): Row {
  const row: Row = {};
  let at = start + 2;
  for (const { name, typeId, parse } of columns) {
    const length = bytes.readInt32BE(at);
    at += 4;
    if (length === -1) {
      row[name] = null;
      continue;
    }
    const text = bytes.toString('utf8', at, at + length);
    row[name] = parse ? parse(text, typeId) : text;
    at += length;
  }
  return row;
}

const readTypes = (bytes: Buffer, start: number): number[] =>
  Array.from({ length: bytes.readUInt16BE(start) }, (_, index) => bytes.readInt32BE(start + 2 + 4 * index));

/** Reads the fields of an error: a letter and a text each, ended by a zero. */
function readError(bytes: Buffer, start: number): Error {
  const fields: Record<string, string> = {};
  for (let at = start; bytes[at] !== 0; at = bytes.indexOf(0, at) + 1) {
    fields[String.fromCharCode(bytes[at] as number)] = readCString(bytes, at + 1);
  }
  return Object.assign(new Error(fields.M), { code: fields.C, detail: fields.D, severity: fields.V });
}

/** Reads the sender's process id (4 bytes), then channel and payload. */
function readNotification(bytes: Buffer, start: number): Notification {
  const end = bytes.indexOf(0, start + 4);
  return { channel: bytes.toString('utf8', start + 4, end), payload: readCString(bytes, end + 1) };
}

const readCString = (bytes: Buffer, start: number) => bytes.toString('utf8', start, bytes.indexOf(0, start));

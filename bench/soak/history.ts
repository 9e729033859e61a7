import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { checkHistory } from '../../test/history/read.ts';
import { plans } from './receivers.ts';

/** Writes what happens, for the checker of histories. A sale is named by its id, and an endpoint by its receiver. */
export interface History {
  write(line: Readonly<Record<string, unknown>>): void;
  /** Ends the file, and returns what the checker finds in it. */
  check(): ReturnType<typeof checkHistory>;
}

/** `withinMs`: the longest time from an acknowledgement to its arrival. */
export function startHistory(file: string, withinMs: number): History {
  const stream = createWriteStream(file);
  const write: History['write'] = (line) => void stream.write(`${JSON.stringify(line)}\n`);
  for (const { name, endpoint = {} } of plans) {
    const { ordered = false, max_in_flight } = endpoint;
    write({ kind: 'endpoint', endpoint: name, ordered, max_in_flight: ordered ? 1 : max_in_flight, within_ms: withinMs });
  }
  return {
    write,
    async check() {
      stream.end();
      await once(stream, 'finish');
      return checkHistory(file, 0);
    },
  };
}

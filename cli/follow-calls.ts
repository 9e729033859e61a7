import type { RecordedCall } from '../stubs/journal/call.ts';
import { lineOf } from '../stubs/lines.ts';
import { onStandardOutput, say, tell } from './command.ts';
import type { ListedCall } from './gateway-actions.ts';
import { callStub, type Running } from './running.ts';

export type ShownCall = RecordedCall | ListedCall;

/** Calls of a stub or a gateway, a line each. */
export const callsText = (calls: ShownCall[]) =>
  calls.map((call) => lineOf({ kind: 'call', call: asRecorded(call) }, onStandardOutput())).join('\n');

/** A gateway's list of calls has the parts that a line shows, by other names. */
function asRecorded(call: ShownCall): RecordedCall {
  if ('durationMs' in call) return call;
  const { path: url, duration_ms: durationMs, error_code: message } = call;
  return { ...call, url, durationMs, ...(message !== null && { refusal: { message } }) } as unknown as RecordedCall;
}

/** Returns a function that reads the calls that it has not returned before, oldest first. */
export function newStubCalls(stub: Running, filters: Record<string, string>): () => Promise<RecordedCall[]> {
  let last: string | undefined;
  return async () => {
    const query = new URLSearchParams({ ...filters, ...(last !== undefined && { after: last }) });
    const calls = await callStub<RecordedCall[]>(stub, 'GET', `/calls?${query}`);
    last = calls.at(-1)?.id ?? last;
    return calls;
  };
}

/** A gateway records the calls that look for others. */
const followMs = { stub: 250, gateway: 1000 } as const;

/** Prints calls as they come. Ends when the program does, after SIGTERM, and when nobody reads the output any more. */
export async function follow(
  read: () => Promise<ShownCall[]>,
  program: keyof typeof followMs,
  { json }: { json: boolean },
): Promise<undefined> {
  let isWanted = true;
  const stop = () => {
    isWanted = false;
  };
  process.once('SIGTERM', stop);
  process.stdout.once('error', stop);
  for (let began = false; isWanted; began = true) {
    const calls = await read().catch((error: Error) => {
      if (!began) throw error;
    });
    if (!calls) return void tell(`The ${program} has ended.`);
    for (const call of calls) say(json ? JSON.stringify(call) : callsText([call]));
    await new Promise((resolve) => setTimeout(resolve, followMs[program]));
  }
}

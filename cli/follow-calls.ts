import { setTimeout } from 'node:timers/promises';
import type { Program } from '../gateway/http/probes.ts';
import type { RecordedCall } from '../stubs/journal/call.ts';
import { type CallOfLine, callLine } from '../stubs/lines.ts';
import type { StubClient } from '../stubs/listen/client.ts';
import { onStandardOutput, say, tell } from './command.ts';
import type { ListedCall } from './gateway-actions.ts';

export type ShownCall = RecordedCall | ListedCall;

export const callsText = (calls: ShownCall[]) => calls.map((call) => callLine(lineParts(call), onStandardOutput())).join('\n');

/** A gateway's list of calls has the parts that a line shows, by other names. */
function lineParts(call: ShownCall): CallOfLine {
  if ('durationMs' in call) return call;
  const { path: url, duration_ms: durationMs, error_code: message } = call;
  return { ...call, url, durationMs, ...(message !== null && { refusal: { message } }) };
}

/** Reads the calls of a stub: those before, then each as it ends. */
export const followedStubCalls = (stub: StubClient, filters: URLSearchParams): OpenCalls =>
  async function* (signal) {
    const { body } = await stub.open('GET', `/calls/stream?${filters}`, { signal });
    yield [];
    let rest = '';
    for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      yield lines.map((line): ShownCall => JSON.parse(line));
    }
  };

/** Reads the calls of a gateway: the newest of each API, then those that it has not read before, every second. */
export const followedGatewayCalls = (read: () => Promise<ListedCall[]>): OpenCalls =>
  async function* (signal) {
    for (; !signal.aborted; await setTimeout(1000, undefined, { signal })) yield await read();
  };

/** Yields calls as they come. Throws or returns when the stub or gateway has ended, or the signal is aborted. */
type OpenCalls = (signal: AbortSignal) => AsyncIterable<ShownCall[]>;

/** Prints calls as they come. Ends when the program does, after SIGTERM, and when nobody reads the output any more. */
export async function follow(open: OpenCalls, program: Program | 'world', { json }: { json: boolean }): Promise<undefined> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGTERM', stop);
  process.stdout.once('error', stop);
  let began = false;
  try {
    for await (const calls of open(stopping.signal)) {
      began = true;
      for (const call of calls) say(json ? JSON.stringify(call) : callsText([call]));
    }
  } catch (error) {
    if (!began) throw error;
  }
  if (!stopping.signal.aborted) tell(`The ${program} has ended.`);
}

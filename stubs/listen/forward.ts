import { request } from 'undici';
import { dispatcherFor, explainFailure } from '../../contracts/tools/outgoing.ts';
import { endToEnd, isEndToEnd } from '../../contracts/tools/verification/answers.ts';

export interface ToForward {
  /** Header names and values in turn, as received. */
  rawHeaders: readonly string[];
  /** Added, in place of received ones of the same name, by lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Aborts the request when the gateway closes its connection. */
  signal: AbortSignal;
}

/** The target's response, or a 502 or 504 made here if the target did not respond. */
export interface Forwarded {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  ms: number;
  /** Why the target did not respond; null if it did. */
  error: string | null;
}

/** The gateway keeps no more of a response either. */
const answerBytes = 65_536;

/** Forwards the exact bytes and headers. Does not follow redirects. Never throws. */
export async function forward(
  target: string,
  { rawHeaders, headers: own, body, signal }: ToForward,
  timeoutMs: number,
): Promise<Forwarded> {
  const beganMs = performance.now();
  const took = () => Math.round(performance.now() - beganMs);
  try {
    const reply = await request(target, {
      method: 'POST',
      headers: [...passedOn(rawHeaders, own), ...Object.entries(own).flat()],
      body,
      dispatcher: dispatcherFor(target),
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    });
    const answer = await bounded(reply.body);
    return {
      status: reply.statusCode,
      headers: endToEnd(reply.headers),
      body: answer,
      ms: took(),
      error: null,
    };
  } catch (thrown) {
    const late = (thrown as Error).name === 'TimeoutError';
    const why = late ? `the target did not respond within ${timeoutMs} ms` : explainFailure(target, thrown);
    const error = signal.aborted ? 'the gateway closed the connection' : why;
    return { status: late ? 504 : 502, headers: {}, body: Buffer.from(`passerelle listen: ${error}\n`), ms: took(), error };
  }
}

function passedOn(rawHeaders: readonly string[], own: Readonly<Record<string, string>>): string[] {
  const passed: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2);
    if (isEndToEnd(name) && !Object.hasOwn(own, name.toLowerCase())) passed.push(name, value);
  }
  return passed;
}

async function bounded(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, answerBytes - size));
    size += chunk.length;
    if (size >= answerBytes) break;
  }
  return Buffer.concat(chunks);
}

import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import { storable } from '../../base/text.ts';
import { type GuardOptions, guardedConnector } from './connect.ts';
import { deadline } from './deadline.ts';
import { type Exchange, unsent } from './exchange.ts';
import { refusedUrl } from './guard.ts';
import { BlockedAddress, classify, outcomeOf } from './outcome.ts';
import { type Trace, traced } from './trace.ts';

export interface SenderOptions {
  /** Time limit of a whole request, from connecting to the end of the body, in milliseconds. */
  deadlineMs: number;
  /** Bytes of a decoded response body that are kept. */
  keptBodyBytes: number;
  allow: GuardOptions['allow'];
  lookup?: GuardOptions['lookup'];
}

/** POSTs webhooks over keep-alive connections. A failure of any kind is an outcome; `post` never throws. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #agent: Agent;

  constructor(options: SenderOptions) {
    this.#options = options;
    const { deadlineMs, allow, lookup } = options;
    this.#agent = new Agent({
      connect: guardedConnector({ allow, connectTimeoutMs: deadlineMs, ...(lookup ? { lookup } : {}) }),
      allowH2: false,
      // The signal's deadline covers all phases.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** A body that is a generator is read once the connection is open. If it throws, nothing is written. */
  async post(url: string, headers: Record<string, string>, body: string | Fenced): Promise<Exchange> {
    const beganMs = performance.now();
    const trace: Trace = { address: null, phases: {} };
    const exchange = unsent('unknown', null);
    const { signal, clear } = deadline(this.#options.deadlineMs);
    try {
      const target = new URL(url);
      const refused = refusedUrl(target, this.#options.allow);
      if (refused !== null) throw new BlockedAddress(target.host, refused);
      const response = await traced(trace, () =>
        request(target, { method: 'POST', ...bodyOf(headers, body), signal, dispatcher: this.#agent }),
      );
      exchange.timings.first_byte = performance.now() - beganMs;
      await this.#read(response, exchange);
    } catch (thrown) {
      const { outcome, error, address } = classify(thrown);
      Object.assign(exchange, { outcome, error: storable(error), address, truncated: exchange.status !== null });
    } finally {
      clear();
    }
    exchange.address = trace.address ?? exchange.address;
    exchange.timings = rounded({ ...trace.phases, ...exchange.timings, total: performance.now() - beganMs });
    return exchange;
  }

  async close(): Promise<void> {
    if (!this.#agent.destroyed) await this.#agent.close();
  }

  /** Aborts running requests: each ends as a failure. */
  async abort(): Promise<void> {
    await this.#agent.destroy();
  }

  async #read(response: Dispatcher.ResponseData, exchange: Exchange): Promise<void> {
    exchange.status = response.statusCode;
    exchange.headers = keptHeaders(response.headers);
    const retryAfter = response.headers['retry-after'];
    exchange.retryAfter = Array.isArray(retryAfter) ? retryAfter[0] : retryAfter;
    const kept: Buffer[] = [];
    try {
      exchange.truncated = await readBounded(response, this.#options.keptBodyBytes, kept);
    } finally {
      // Keep what arrived before the deadline or the end of the connection.
      exchange.body = storable(Buffer.concat(kept).toString('utf8'));
    }
    exchange.outcome = outcomeOf(response.statusCode);
    if (exchange.outcome !== 'success') exchange.error = `The receiver answered ${response.statusCode}.`;
  }
}

/** A body that may turn out to be not wanted any more, and its length in bytes. */
export interface Fenced {
  chunks: AsyncGenerator<Buffer>;
  bytes: number;
}

/** The client would send a body of unknown length in chunks. Its types do not show that it accepts generators. */
const bodyOf = (headers: Record<string, string>, body: string | Fenced) =>
  typeof body === 'string'
    ? { headers, body }
    : { headers: { ...headers, 'content-length': String(body.bytes) }, body: body.chunks as unknown as Readable };

const decoders: Record<string, () => NodeJS.ReadWriteStream> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The codes of errors of zlib and brotli. */
const undecodable = /^(Z_|ERR__ERROR_|ERR_BROTLI)/;

/**
 * Reads at most `maxBytes` of the decoded body into `kept`, then closes the connection, so that a decompression bomb or an
 * endless body costs nothing. Returns true if the body is incomplete.
 */
async function readBounded({ body, headers }: Dispatcher.ResponseData, maxBytes: number, kept: Buffer[]): Promise<boolean> {
  const decoder = decoders[String(headers['content-encoding'] ?? '').toLowerCase()];
  const source = decoder ? pipeline(body, decoder(), () => {}) : body;
  let size = 0;
  let truncated = false;
  try {
    for await (const chunk of source as Readable) {
      kept.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      truncated = size > maxBytes;
      if (truncated) break;
    }
  } catch (error) {
    // The status tells whether the delivery was received, even if its body cannot be decoded.
    if (!undecodable.test(String((error as NodeJS.ErrnoException).code))) throw error;
    truncated = true;
  } finally {
    if (truncated) body.destroy();
  }
  return truncated;
}

/** Returns the headers without cookies, which may be secrets of the receiver. */
function keptHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    if (/^set-cookie2?$/i.test(name)) kept[name] = '[redacted]';
    else kept[storable(name)] = Array.isArray(value) ? value.map(storable) : storable(value);
  }
  return kept;
}

function rounded(timings: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(timings).map(([phase, ms]) => [phase, Math.round(ms * 100) / 100]));
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import type { Reply } from '../reference.ts';
import { secretsIn } from '../secrets.ts';
import { answerWithMessage, endToEnd, single } from './answers.ts';
import { eventTypeOf, type PactInteraction } from './pact-file.ts';
import type { Exchange } from './result.ts';
import type { PactSource } from './sources.ts';
import { authorized, OutOfReach, type Subject, withCredentials } from './subjects.ts';
import { idHeader, idOfState } from './tie.ts';

const statePath = '/_passerelle/states';
const messagePath = '/_passerelle/messages';

export type Answer = { reply: Reply } | { message: { metadata: Record<string, unknown>; body: string } };

/** An interaction to verify, and the pact it was read from. */
export interface Planned {
  written: PactInteraction;
  index: number;
  source: PactSource;
}

/** The recorded traffic of one interaction. */
export interface Seen extends Planned {
  /** With its secrets, as `answer`: a report must not show them (`secrets.ts`). */
  exchange: Exchange;
  /** What generators may use: the parameters of the states, and their values. */
  values: Record<string, unknown>;
  /** Secrets that the states returned, such as a token. */
  secrets: string[];
  answer?: Answer;
  /** Errors of a state, a message or the provider. */
  failures: Failure[];
  /** Errors of the teardown. They do not change the verdict. */
  leftBehind: string[];
}

export interface Failure {
  kind: 'state' | 'provider';
  message: string;
  /** True if the provider or its states could not be reached, so that the interaction says nothing about the provider. */
  couldNotRun: boolean;
}

/**
 * A proxy between Pact's verifier and a provider. It sets up states, forwards requests, produces messages and records the
 * traffic. Each interaction has an id (`tie.ts`) and its own subject.
 */
export interface Harness {
  url: string;
  stateUrl: string;
  port: number;
  messagePath: string;
  add(planned: Planned): string;
  seen(id: string): Seen | undefined;
  /** Tears down the interactions that the verifier did not tear down. This happens after an error. */
  finish(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

interface Running {
  seen: Seen;
  /** From the set-up to the teardown. */
  subject?: Subject;
}

export async function openHarness(openSubject: () => Promise<Subject>, onInteraction: (seen: Seen) => void): Promise<Harness> {
  const all = new Map<string, Running>();
  const runningWith = (id: string | undefined): Running => {
    const running = all.get(id ?? '');
    if (running === undefined) throw new Error('The verifier asked for an interaction that was not planned.');
    return running;
  };

  /** Never throws: after an error the verifier would skip the request and the teardown. `guarded` fails the request instead. */
  const start = async (running: Running): Promise<Record<string, unknown>> => {
    try {
      running.subject = await openSubject();
      running.seen.values = await setUp(running.subject, running.seen);
      return running.seen.values;
    } catch (error) {
      running.seen.failures.push(failureOf('provider', error));
      return {};
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.url === statePath) {
      const { action, state } = stateCall.parse(JSON.parse(body));
      const running = runningWith(idOfState(state));
      if (action === 'teardown') {
        await tearDown(running);
        return json(response, 200, {});
      }
      onInteraction(running.seen);
      return json(response, 200, await start(running));
    }
    if (request.url === messagePath) {
      const { providerStates } = messageCall.parse(JSON.parse(body));
      const running = runningWith(idOfState(providerStates[0]?.name ?? ''));
      return guarded(running, response, (subject) => answerMessage(response, running.seen, subject));
    }
    const running = runningWith(request.headers[idHeader] as string | undefined);
    return guarded(running, response, (subject) => forward(request, body, response, running.seen, subject));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => json(response, 422, { message: error.message }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const finish = async (ids: Iterable<string>) => {
    for (const id of ids) await tearDown(runningWith(id));
  };
  return {
    url,
    stateUrl: `${url}${statePath}`,
    port,
    messagePath,
    add(planned) {
      const id = String(all.size + 1);
      all.set(id, { seen: { ...planned, exchange: {}, values: {}, secrets: [], failures: [], leftBehind: [] } });
      return id;
    },
    seen: (id) => all.get(id)?.seen,
    finish,
    async close() {
      server.closeAllConnections();
      server.close();
      await finish(all.keys());
    },
  };
}

const stateCall = z.object({ action: z.string(), state: z.string() });
const messageCall = z.object({ providerStates: z.array(z.object({ name: z.string() })).default([]) });

const failureOf = (kind: Failure['kind'], error: unknown): Failure => ({
  kind,
  message: (error as Error).message,
  couldNotRun: error instanceof OutOfReach,
});

/**
 * Sets up all states of an interaction. Returns what generators may use: the parameters of the states, and their values. Goes on
 * after a state that fails, so that every unknown state is named.
 */
async function setUp(subject: Subject, seen: Seen): Promise<Record<string, unknown>> {
  const { states } = seen.written;
  const values: Record<string, unknown> = Object.assign({}, ...states.map(({ params }) => params));
  for (const state of states) {
    try {
      const returned = await subject.setUp(state);
      seen.secrets.push(...secretsIn(returned));
      Object.assign(values, returned);
    } catch (error) {
      seen.failures.push(failureOf('state', error));
    }
  }
  return values;
}

/** Never throws, because a failed teardown does not change a verdict. */
async function tearDown(running: Running): Promise<void> {
  const { subject, seen } = running;
  delete running.subject;
  try {
    await subject?.close();
  } catch (error) {
    seen.leftBehind.push((error as Error).message);
  }
}

/**
 * Runs `work` unless a state failed. If either failed, answers 424: no API documents it, so no pact expects it, and the
 * verifier retries a 5xx for minutes.
 */
async function guarded({ seen, subject }: Running, response: ServerResponse, work: (subject: Subject) => Promise<void>) {
  try {
    if (seen.failures.length === 0) return await work(subject as Subject);
  } catch (error) {
    seen.failures.push(failureOf('provider', error));
  }
  json(response, 424, { message: seen.failures[0]?.message });
}

async function answerMessage(response: ServerResponse, seen: Seen, subject: Subject) {
  const { written } = seen;
  const event = written.kind === 'message' ? eventTypeOf(written) : undefined;
  const { headers, rawHeaders, body } = await subject.message({ description: written.description, event });
  const asWritten = Object.fromEntries(pairs(rawHeaders));
  const metadata = { ...headers, ...asWritten, contentType: headers['content-type'] ?? 'application/json' };
  seen.exchange.message = { metadata, body };
  seen.answer = { message: { metadata, body } };
  answerWithMessage(response, metadata, body);
}

/** Returns the address with as many slashes at its start as the pact has: Pact's verifier sends one. */
function asWritten(url: string, written: PactInteraction): string {
  const [slashes = '/'] = /^\/+/.exec(written.kind === 'http' ? written.request.path : '') ?? [];
  return url.replace(/^\/+/, slashes);
}

async function forward(request: IncomingMessage, body: string, response: ServerResponse, seen: Seen, subject: Subject) {
  const url = asWritten(request.url ?? '/', seen.written);
  const { [idHeader]: _, ...headers } = endToEnd(single(request.headers));
  const sent = { method: request.method ?? 'GET', path: url, headers, body };
  const [path = '', query = ''] = url.split('?');
  seen.exchange.request = { method: sent.method, path, query, headers, body };
  const reply = await subject.send(authorized(withCredentials(sent, seen.values), subject.token()));
  seen.answer = { reply };
  seen.exchange.reply = { status: reply.status, headers: reply.headers, body: reply.text };
  const { location, ...answered } = endToEnd(reply.headers);
  // Without its target, the verifier does not follow a redirect. Neither do the gateway and most clients of an API.
  const isRedirect = reply.status >= 300 && reply.status < 400;
  response.writeHead(reply.status, isRedirect || location === undefined ? answered : { ...answered, location });
  response.end(reply.bytes ?? reply.text);
}

const pairs = (raw: readonly string[]) =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { standardRedaction } from '../../../gateway/base/redact.ts';
import type { Reply } from '../reference.ts';
import type { ProviderState } from '../states/state.ts';
import { answerWithMessage, isEndToEnd } from './answers.ts';
import type { Exchange } from './result.ts';
import { authorized, type Subject } from './subjects.ts';

const statePath = '/_passerelle/states';
const messagePath = '/_passerelle/messages';

export type Answer = { reply: Reply } | { message: { metadata: Record<string, unknown>; body: string } };

/** The recorded traffic of one interaction, in the verifier's order. */
export interface Seen {
  states: ProviderState[];
  exchange: Exchange;
  /** The provider's answer, unredacted: it must not appear in a report. */
  answer?: Answer;
  /** Errors of a state, a message or the provider. */
  failures: { kind: 'state' | 'provider'; message: string }[];
}

/**
 * A proxy between Pact's verifier and a provider. It sets up states, forwards requests, produces messages and records the
 * traffic. The verifier runs one interaction after another; each gets its own subject.
 */
export interface Harness {
  url: string;
  stateUrl: string;
  port: number;
  messagePath: string;
  seen: Seen[];
  close(): Promise<void>;
}

interface Current {
  subject: Promise<Subject>;
  seen: Seen;
  /** True after the setup: the next state belongs to the next interaction. */
  ended: boolean;
}

export async function openHarness(openSubject: () => Promise<Subject>, onInteraction: (seen: Seen) => void): Promise<Harness> {
  const seen: Seen[] = [];
  let current: Current | undefined;

  const next = async (): Promise<Current> => {
    await (await current?.subject)?.close();
    const fresh: Current = { subject: openSubject(), seen: { states: [], exchange: {}, failures: [] }, ended: false };
    current = fresh;
    seen.push(fresh.seen);
    onInteraction(fresh.seen);
    return fresh;
  };
  const now = async () => current ?? next();

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.url === statePath) return answerState(response, stateCall.parse(JSON.parse(body)), current, next);
    if (request.url === messagePath) return answerMessage(response, messageCall.parse(JSON.parse(body)), await now());
    return forward(request, body, response, await now());
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      current?.seen.failures.push({ kind: 'provider', message: error.message });
      // Pact's verifier retries a 5xx for minutes.
      json(response, 422, { message: error.message });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await (await current?.subject)?.close();
  };
  return { url, stateUrl: `${url}${statePath}`, port, messagePath, seen, close };
}

const stateCall = z.object({
  action: z.string(),
  state: z.string(),
  params: z.record(z.string(), z.unknown()).nullish(),
});
const messageCall = z.object({ description: z.string() });

/** Sets up a state. The verifier sends an empty name for an interaction without states; it also starts an interaction. */
async function answerState(
  response: ServerResponse,
  { action, state, params }: z.output<typeof stateCall>,
  before: Current | undefined,
  next: () => Promise<Current>,
) {
  if (action === 'teardown') {
    if (before) before.ended = true;
    return json(response, 200, {});
  }
  const current = before === undefined || before.ended ? await next() : before;
  if (state === '') return json(response, 200, {});
  const named = { name: state, params: params ?? {} };
  current.seen.states.push(named);
  try {
    return json(response, 200, await (await current.subject).setUp(named));
  } catch (error) {
    // After a refused setup, the verifier sends the other states but no teardown, so the end of the interaction could not be
    // told. Accept the state here, and fail the request that follows.
    current.seen.failures.push({ kind: 'state', message: (error as Error).message });
    return json(response, 200, {});
  }
}

/** Fails an interaction whose state could not be set up. No API documents 424, so no pact expects it. */
function answerFailedState(response: ServerResponse, current: Current): boolean {
  const failure = current.seen.failures.find(({ kind }) => kind === 'state');
  if (failure) json(response, 424, { message: failure.message });
  return failure !== undefined;
}

async function answerMessage(response: ServerResponse, { description }: z.output<typeof messageCall>, current: Current) {
  current.ended = true;
  if (answerFailedState(response, current)) return;
  const { headers, rawHeaders, body } = await (await current.subject).message(description);
  const asWritten = Object.fromEntries(pairs(rawHeaders));
  const metadata = { ...headers, ...asWritten, contentType: headers['content-type'] ?? 'application/json' };
  current.seen.exchange.message = { metadata, body };
  current.seen.answer = { message: { metadata, body } };
  answerWithMessage(response, metadata, body);
}

async function forward(request: IncomingMessage, body: string, response: ServerResponse, current: Current) {
  current.ended = true;
  if (answerFailedState(response, current)) return;
  const subject = await current.subject;
  const url = request.url ?? '/';
  const sent = { method: request.method ?? 'GET', path: url, headers: endToEnd(request.headers), body };
  const [path = '', query = ''] = standardRedaction.text(url).split('?');
  current.seen.exchange.request = {
    method: sent.method,
    path,
    query,
    headers: shown(sent.headers),
    body: standardRedaction.text(body),
  };
  const reply = await subject.send(authorized(sent, subject.token()));
  current.seen.answer = { reply };
  current.seen.exchange.reply = { status: reply.status, headers: shown(reply.headers), body: standardRedaction.text(reply.text) };
  response.writeHead(reply.status, endToEnd(reply.headers));
  response.end(reply.text);
}

function endToEnd(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && isEndToEnd(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

const shown = (headers: Record<string, string>) => standardRedaction.headers(headers);

const pairs = (raw: readonly string[]) =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : []));

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

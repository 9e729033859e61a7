import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EnvHttpProxyAgent, fetch } from 'undici';
import { z } from 'zod';
import type { Json } from '../../json.ts';
import { isEndToEnd } from '../verification/answers.ts';
import { isExactNumber, parseExactly } from '../verification/tie.ts';

const deadlineMs = 30_000;

export interface BrokerProxy {
  url: string;
  /** Why requests failed in the proxy: the broker did not answer, or a pact could not be changed. */
  failures: string[];
  /** The broker's notes on the pacts: why each was selected, and why a failure of it does not count. */
  notices: string[];
  close(): void;
}

/**
 * Opens a proxy of a Pact Broker that changes each pact on its way to Pact's verifier. Links in replies lead through the proxy
 * too. It sends the verifier's credentials on, and has none of its own.
 */
export async function openBrokerProxy(brokerUrl: string, change: (pact: Json) => Json): Promise<BrokerProxy> {
  const failures: string[] = [];
  const notices = new Set<string>();
  /** The origins of the links. A request's path begins with the index of its origin. */
  const origins: string[] = [];
  /** A broker may list a pact twice; its interactions count once. */
  const pacts = new Map<string, Json>();
  const dispatcher = new EnvHttpProxyAgent();

  const through = (href: string): string => {
    const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]+)(.*)$/is.exec(href) ?? [];
    if (origin === '') return href;
    if (!origins.includes(origin)) origins.push(origin);
    return `${url}/${origins.indexOf(origin)}${rest}`;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const [, index = '', rest = ''] = /^\/(\d+)(.*)$/s.exec(request.url ?? '') ?? [];
    const to = `${origins[Number(index)]}${rest}`;
    const body = Buffer.concat(await request.toArray());
    const reply = await fetch(to, {
      method: request.method ?? 'GET',
      headers: sendable(request),
      ...(body.length === 0 ? {} : { body }),
      dispatcher,
      signal: AbortSignal.timeout(deadlineMs),
    }).catch((error: Error) => {
      throw new Error(
        `The broker at ${brokerUrl} did not answer: ${(error.cause as Error | undefined)?.message ?? error.message}.`,
      );
    });
    const text = await reply.text();
    // Without its index nothing of a broker is found, and Pact's verifier says only that there are no pacts.
    if (!reply.ok && /^\/?$/.test(to.slice(brokerUrl.length)))
      throw new Error(`The broker at ${brokerUrl} answered ${reply.status} ${reply.statusText}.`);
    const value = reply.ok ? parsed(text) : undefined;
    for (const notice of noticesIn(value)) notices.add(notice);
    if (isPact(value) && !pacts.has(to))
      pacts.set(to, { ...change(value), ...('_links' in value && { _links: hrefs(value._links, through) }) });
    const answer = pacts.get(to) ?? linked(value, through);
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'application/hal+json' });
    response.end(answer === undefined ? text : JSON.stringify(answer));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      failures.push(error.message);
      // Pact's verifier retries a 5xx for minutes.
      response.writeHead(424, { 'content-type': 'application/json' }).end(JSON.stringify({ error: error.message }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: through(brokerUrl),
    failures,
    get notices() {
      return [...notices];
    },
    close() {
      server.closeAllConnections();
      server.close();
      void dispatcher.close();
    },
  };
}

/** Returns the verifier's headers. fetch decodes the reply, so it writes accept-encoding itself. */
function sendable({ headers }: IncomingMessage): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => isEndToEnd(name) && name !== 'accept-encoding');
  return Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

const notes = z.object({
  _embedded: z.object({
    pacts: z.array(
      z.object({ verificationProperties: z.object({ notices: z.array(z.object({ when: z.string(), text: z.string() })) }) }),
    ),
  }),
});

/** Returns the notes of a list of pacts for verification. Others are about results, which do not exist yet. */
function noticesIn(value: unknown): string[] {
  const { data } = notes.safeParse(value);
  const all = data?._embedded.pacts.flatMap(({ verificationProperties }) => verificationProperties.notices) ?? [];
  return all.filter(({ when }) => when === 'before_verification').map(({ text }) => text);
}

const isPact = (value: unknown): value is Json =>
  isObject(value) && 'consumer' in value && 'provider' in value && ('interactions' in value || 'messages' in value);

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !isExactNumber(value);

/** Changes the links of a HAL document. */
function linked(value: unknown, through: (href: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => linked(one, through));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, child]) => [
    name,
    name === '_links' ? hrefs(child, through) : linked(child, through),
  ]);
  return Object.fromEntries(entries);
}

/** Changes every `href` below `_links`. */
function hrefs(links: unknown, through: (href: string) => string): unknown {
  if (Array.isArray(links)) return links.map((one) => hrefs(one, through));
  if (!isObject(links)) return links;
  const entries = Object.entries(links).map(([name, child]) => [
    name,
    name === 'href' && typeof child === 'string' ? through(child) : hrefs(child, through),
  ]);
  return Object.fromEntries(entries);
}

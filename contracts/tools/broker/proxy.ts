import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { isRecord, type Json, jsonOr } from '../../../spec/json.ts';
import { explainFailure, fetchFrom } from '../outgoing.ts';
import { endToEnd, single } from '../verification/answers.ts';
import { parseExactly } from '../verification/tie.ts';

const deadlineMs = 30_000;

/**
 * The beginning of a path at the proxy. No broker and no API has such a path, so that it can be found in a
 * message.
 */
const mark = '/passerelle-link-';
const markedPath = new RegExp(`^${mark}(\\d+)(.*)$`, 's');

export interface BrokerProxy {
  url: string;
  /** Returns a text in which addresses and paths of the proxy are those that they stand for. */
  named(text: string): string;
  /** Why requests failed in the proxy: the broker did not answer, or a pact could not be changed. */
  failures: string[];
  /** The broker's notes on the pacts: why each was selected, and why a failure of it does not count. */
  notices: string[];
  close(): void;
}

/**
 * Opens a proxy of a Pact Broker that changes each pact on its way to Pact's verifier. Links in replies lead through the proxy
 * too; all else passes unchanged. It sends the verifier's credentials on, and has none of its own.
 */
export async function openBrokerProxy(brokerUrl: string, change: (pact: Json) => Json): Promise<BrokerProxy> {
  const failures: string[] = [];
  const notices = new Set<string>();
  /** The origins of the links: first the broker's. A request's path begins with the index of its origin. */
  const origins: string[] = [];
  /** A broker may list a pact twice; its interactions count once. */
  const pacts = new Map<string, string>();

  const through = (href: string): string => {
    const [, origin = '', rest = ''] = /^(https?:\/\/[^/?#]+)(.*)$/is.exec(href) ?? [];
    if (origin === '') return href;
    if (!origins.includes(origin)) origins.push(origin);
    return `${url}${mark}${origins.indexOf(origin)}${rest}`;
  };

  /** Changes the links of a HAL document. */
  const linked = (json: string) =>
    JSON.parse(json, (name, value) => (name === 'href' && typeof value === 'string' ? through(value) : value));

  /**
   * Changes a pact. Only the broker's own links are changed. They are beside the interactions, which may contain links of the
   * API.
   */
  const changed = (text: string) => {
    const { _links, ...pact } = parseExactly(text) as Json;
    return JSON.stringify({ ...change(pact), ...(_links !== undefined && { _links: linked(JSON.stringify(_links)) }) });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const [, index = '', rest = ''] = markedPath.exec(request.url ?? '') ?? [];
    const to = `${origins[Number(index)]}${rest}`;
    const body = Buffer.concat(await request.toArray());
    // fetch decodes the reply, so it names the codings itself.
    const { 'accept-encoding': _, ...asked } = endToEnd(single(request.headers));
    const reply = await fetchFrom(to, {
      method: request.method ?? 'GET',
      headers: asked,
      ...(body.length === 0 ? {} : { body }),
      signal: AbortSignal.timeout(deadlineMs),
    }).catch((error: Error) => {
      throw new Error(`The broker at ${brokerUrl} did not answer: ${explainFailure(to, error)}.`);
    });
    const text = await reply.text();
    // If the broker's index cannot be read, Pact's verifier says only that there are no pacts.
    if (!reply.ok && /^\/?$/.test(to.slice(brokerUrl.length)))
      throw new Error(`The broker at ${brokerUrl} answered ${reply.status} ${reply.statusText}.`);
    const value = reply.ok ? jsonOr(text, undefined) : undefined;
    for (const notice of noticesIn(value)) notices.add(notice);
    if (isPact(value) && !pacts.has(to)) pacts.set(to, changed(text));
    const { 'content-encoding': __, ...answered } = endToEnd(Object.fromEntries(reply.headers));
    response.writeHead(reply.status, answered);
    response.end(pacts.get(to) ?? (value === undefined ? text : JSON.stringify(linked(text))));
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
    named: (text) =>
      text.replaceAll(new RegExp(`(${url})?${mark}(\\d+)(/?)`, 'g'), (whole, address, index, slash) => {
        const origin = origins[Number(index)];
        if (origin === undefined) return whole;
        // Pact's verifier names some paths without their address. Those without another address are the
        // broker's.
        return address === undefined && index === '0' ? '/' : `${origin}${slash}`;
      }),
    failures,
    get notices() {
      return [...notices];
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const notes = z.object({
  _embedded: z.object({
    pacts: z.array(
      z.object({ verificationProperties: z.object({ notices: z.array(z.object({ when: z.string(), text: z.string() })) }) }),
    ),
  }),
});

/** Returns the notes of a list of pacts for verification. Other notes are about results, which do not exist yet. */
function noticesIn(value: unknown): string[] {
  const { data } = notes.safeParse(value);
  const all = data?._embedded.pacts.flatMap(({ verificationProperties }) => verificationProperties.notices) ?? [];
  return all.filter(({ when }) => when === 'before_verification').map(({ text }) => text);
}

const isPact = (value: unknown): boolean =>
  isRecord(value) && 'consumer' in value && 'provider' in value && ('interactions' in value || 'messages' in value);

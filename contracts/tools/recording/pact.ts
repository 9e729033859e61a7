import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { type Draft, draftOf, factsOf, LeftOut } from './draft.ts';
import { jsonContent, messageOf, promisedReply } from './promises.ts';
import type { Recording, WrittenInteraction } from './recorded.ts';
import { situate } from './situations.ts';

/** A version 4 pact, as its file has it. */
export type WrittenPact = ReturnType<typeof pactOf>['pact'];

/** Such as `GET /api/v1/stock (404): pos has no such operation`. */
export function leftOutOf(exchange: Exchange, reason: string): string {
  const { operation, path } = exchange.request;
  const shown = new Hider(secretsIn(exchange)).text(path);
  return `${operation.split(' ')[0]} ${shown} (${exchange.reply.status}): ${reason}`;
}

/**
 * Returns the pact that a recording shows: one interaction for each kind of request and reply, and one for each event that was
 * accepted. It does not depend on the order of the calls, nor on ids, dates, tokens and other values of the run.
 */
export function pactOf({ service, exchanges, deliveries, leftOut: never }: Recording, consumer: string) {
  const facts = factsOf(exchanges);
  const leftOut = [...never];
  const kinds = new Map<string, Draft[]>();
  for (const exchange of exchanges) {
    try {
      const draft = draftOf(service, exchange, facts);
      situate(draft);
      const key = JSON.stringify([descriptionOf(draft), draft.request, draft.states, draft.generators, draft.status]);
      kinds.set(key, [...(kinds.get(key) ?? []), draft]);
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      leftOut.push(leftOutOf(exchange, error.message));
    }
  }
  const drafts = [...kinds].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, same]) => same);
  const interactions = drafts.map(interactionOf);
  for (const event of [...new Set(deliveries.map((one) => one.event))].sort()) {
    const isAccepted = deliveries.some((one) => one.event === event && one.accepted);
    const message = isAccepted ? messageOf(service, event) : 'the receiver never accepted it';
    if (typeof message === 'string') leftOut.push(`the webhook ${event}: ${message}`);
    else interactions.push(message);
  }
  const pact = {
    consumer: { name: consumer },
    provider: { name: service },
    interactions: named(interactions),
    metadata: { pactSpecification: { version: '4.0' } },
  };
  return { pact, leftOut };
}

/** Returns the description of an interaction: `create a sale with payment_method cash, in an unknown store, refused with 404`. */
function descriptionOf({ found, asked, words, status }: Draft): string {
  const { summary = `${found.method} ${found.path}` } = found.operation;
  const about = `${summary.slice(0, 1).toLowerCase()}${summary.slice(1)}`;
  const listed = new Intl.ListFormat('en-GB').format(new Set(asked.map(short)));
  // Not `token: refused`: reports would hide what stands behind the name of a secret.
  const situation = words.map((word) => `, ${word}`).join('');
  return `${about}${listed && ` with ${listed}`}${situation}${status >= 400 ? `, refused with ${status}` : ''}`;
}

const longestWords = 60;

/** Names of fields may be of any length, and have any characters. */
function short(words: string): string {
  const line = [...words.replaceAll(/[\p{C}\p{Z}]+/gu, ' ')];
  return line.length > longestWords ? `${line.slice(0, longestWords).join('')}…` : line.join('');
}

/** Gives each interaction its own description, because Pact takes two with the same description for one. */
const named = (interactions: readonly WrittenInteraction[]): WrittenInteraction[] =>
  interactions.map((one, at) => {
    const earlier = interactions.slice(0, at).filter(({ description }) => description === one.description).length;
    return earlier === 0 ? one : { ...one, description: `${one.description} (${earlier + 1})` };
  });

function interactionOf(same: readonly Draft[]): WrittenInteraction {
  const [draft] = same as [Draft];
  const { path, query, headers, body } = draft.request;
  const listed = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
  return {
    type: 'Synchronous/HTTP',
    description: descriptionOf(draft),
    pending: false,
    providerStates: draft.states,
    request: {
      method: draft.found.method,
      path,
      query: listed(query),
      headers: listed(headers),
      ...(body !== undefined && { body: jsonContent(body) }),
      generators: draft.generators,
    },
    response: promisedReply(
      draft,
      same.map(({ reply }) => reply.body),
    ),
  };
}

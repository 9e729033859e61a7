import { HTTPResponseStatusClass, MatchersV3 } from '@pact-foundation/pact';
import { expect } from 'vitest';
import { Refusal } from './clients/http.ts';

const { equal, integer, matchStatus, regex, string } = MatchersV3;

/**
 * Puts a value that a provider state returned into a request. The test must send exactly the example; with Pact's own
 * `fromProviderState` it could send any value of that type.
 */
export const fromState = <V>(name: string, example: V) => injected(`\${${name}}`, example);

/** Like `fromState`, at the end of a text. */
export const textFromState = (text: string, name: string, example: string | number) =>
  injected(`${text}\${${name}}`, `${text}${example}`);

const injected = <V>(expression: string, value: V): MatchersV3.ProviderStateInjectedValue<V> => ({
  'pact:matcher:type': 'equality',
  'pact:generator:type': 'ProviderState',
  expression,
  value,
});

/** The example of a state's token, which tests send. */
export const exampleToken = 'example';
/** A token that does not exist. */
export const unknownToken = 'not-a-token';

/** The Authorization header of each token. */
export const bearer = {
  example: textFromState('Bearer ', 'token', exampleToken),
  unknown: `Bearer ${unknownToken}`,
  /** The example token with a scheme that neither document shows. */
  basic: textFromState('Basic ', 'token', exampleToken),
};

/** Both documents use JSON only; `application/problem+json` is JSON too. JSON is UTF-8, also if it does not say so. */
const jsonType = regex('^application/(.+\\+)?json(; *charset=(utf|UTF)-8)?$', 'application/json');
/** Cohesion answers every call live (section 1). The document does not show with which directive. */
const uncached = regex('^.*(no-store|no-cache|max-age=0).*$', 'no-store');

/** A call whose header no client of ours sends: returns the status of its reply. */
export const statusOf = async (url: string, headers: Record<string, string>) => (await fetch(url, { headers })).status;

interface Reply<B> {
  headers(headers: Record<string, MatchersV3.Matcher<string>>): B;
}

/** A JSON reply without documented content. */
export const json = <B extends Reply<B>>(reply: B): B => reply.headers({ 'Content-Type': jsonType });

/** A JSON reply of cohesion without documented content, of an interaction that holds `cohesion/no-caching`. */
export const live = <B extends Reply<B>>(reply: B): B => reply.headers({ 'Content-Type': jsonType, 'Cache-Control': uncached });

/** A success without a documented status. */
export const success = (example: number) => matchStatus(example, HTTPResponseStatusClass.Success);

/** The fields of pos's token response (section 2) that the client reads. */
export const tokenReply = {
  success: equal(true),
  token: regex('^[\\w-]+\\.[\\w-]+\\.[\\w-]+$', 'aaaa.bbbb.cccc'),
  expires_in: integer(3600),
  token_type: equal('Bearer'),
};

/** The pagination block of a list (cohesion section 2). */
export const pagination = { page: integer(1), per_page: integer(25), total: integer(3), last_page: integer(1) };

const moment = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?';
/** ISO 8601 in UTC. */
export const utcTimestamp = regex(`^${moment}(Z|\\+00:00)$`, '2026-11-21T08:53:00Z');
/** ISO 8601 with an offset. */
export const timestampWithOffset = regex(`^${moment}[+-]\\d{2}:\\d{2}$`, '2026-11-21T08:53:00+00:00');

/** The payload of intervention.validated (cohesion section 6), without the event's name. */
export const validation = {
  delivered_at: timestampWithOffset,
  data: {
    intervention_id: integer(31),
    reference: string('INT-2026-0031'),
    intitule: string('Dialogue intercommunautaire'),
    structure_id: integer(4),
    region: string('Gbêkê'),
    validated_by: { id: integer(1), name: string('Awa Koné') },
  },
};

/** The documented signature: `sha256=` and a hexadecimal HMAC-SHA256. */
export const signature = regex('^sha256=[0-9a-fA-F]{64}$', `sha256=${'0123456789abcdef'.repeat(4)}`);

/** Checks that the client gets a refusal with this status. */
export async function expectRefusal(answer: Promise<unknown>, status: number): Promise<void> {
  const refusal = await answer.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ status });
}

import type { Exchange } from '../../gateway/webhooks/sending/exchange.ts';
import { mistakes } from '../../receivers/doctor/mistakes.ts';
import type { CheckResult, Context, Sent } from './check.ts';
import { probesOf } from './probes.ts';

/** The one thing that explains most of the failed checks. */
export interface Cause {
  id: string;
  says: string;
  fix: string;
}

type Statuses = readonly (number | null)[];
const every = (statuses: Statuses, from: number, to: number) =>
  statuses.every((status) => status !== null && status >= from && status <= to);

/** Causes that the statuses of all requests show, genuine and forged. */
const patterns: readonly (Cause & { when(statuses: Statuses): boolean })[] = [
  {
    id: 'verifies_nothing',
    when: (all) => every(all, 200, 299),
    says: 'The receiver accepts every request, forged ones too: it verifies no signature.',
    fix: 'Compare X-SERVICE-Signature with the HMAC-SHA256 of the raw body, and answer 401 if they differ.',
  },
  {
    id: 'wrong_address',
    when: (all) => all.every((status) => status === 404 || status === 405),
    says: 'The receiver answers every request with 404 or 405: it has no route for a POST to this URL.',
    fix: 'Check the path of the URL, and that the route takes POST.',
  },
  {
    id: 'redirects',
    when: (all) => every(all, 300, 399),
    says: 'The receiver redirects every request. Redirects are never followed.',
    fix: 'Use the final URL: often https instead of http, or a slash more or less at the end.',
  },
  {
    id: 'always_broken',
    when: (all) => every(all, 500, 599),
    says: 'The receiver fails with a 5xx at every request, before it verifies or while it does.',
    fix: "Read the receiver's log. Often a variable, such as the secret, is not set.",
  },
  {
    id: 'no_answer',
    when: (all) => all.every((status) => status === null),
    says: 'The receiver does not answer.',
    fix: 'Check that it ends each response, also if it refuses the request.',
  },
];

/** Refusals that can mean a signature that does not match. Others, such as 413 and 415, come before that. */
const signatureRefusals: ReadonlySet<number | null> = new Set([400, 401, 403, 422]);

/** Genuine events, the plainest first. */
const plainestFirst = ['valid_event', 'raw_body', 'non_ascii'];

const anotherSecret: Cause = {
  id: 'another_secret',
  says: 'The receiver refuses every genuine event. No common mistake explains it, so it probably has another secret than --secret.',
  fix: 'Compare the two secrets. If they are the same, save body and headers as the receiver sees them, and run passerelle doctor signature.',
};

export interface Investigation {
  results: readonly CheckResult[];
  /** Body of a check's first request. */
  bodyOf(id: string): string;
  context: Context;
  post(sent: Sent): Promise<Pick<Exchange, 'outcome'>>;
}

/**
 * Returns the cause of the failures, or null. If the receiver refuses genuine events, sends them again with signatures that have
 * a common mistake, until the receiver accepts one. If it refuses no genuine event, nothing is sent.
 */
export async function causeOf({ results, bodyOf, context, post }: Investigation): Promise<Cause | null> {
  const ran = results.filter(({ evidence }) => evidence.length > 0);
  if (!ran.some(({ outcome }) => outcome === 'failed')) return null;
  const statuses = ran.flatMap(({ evidence }) => evidence.map(({ status }) => status));
  const pattern = patterns.find(({ when }) => when(statuses));
  if (pattern) return { id: pattern.id, says: pattern.says, fix: pattern.fix };
  const refused = plainestFirst.find((wanted) => ran.some((one) => one.id === wanted && isRefused(one)));
  if (refused === undefined) return null;
  for (const { mistake, sent } of probesOf(bodyOf(refused), context)) {
    if ((await post(sent)).outcome !== 'success') continue;
    const { says, fix } = mistakes[mistake];
    return { id: mistake, says: `The receiver accepts a signature with this mistake, and refuses the right one. ${says}`, fix };
  }
  return refused === 'valid_event' ? anotherSecret : null;
}

const isRefused = ({ outcome, evidence }: CheckResult) =>
  outcome === 'failed' && evidence.some(({ status }) => signatureRefusals.has(status));

import { fieldsOf, jsonOr } from '../../../spec/json.ts';
import { explain, isOtherOutcome, type Subject } from './explain.ts';
import type { Seen } from './harness.ts';
import { eventTypeOf } from './pact-file.ts';
import { isRedirect, movedTo } from './redirects.ts';
import type { Problem, Verifiable } from './result.ts';

/** `isReference`: the reference implementation answered. A provider elsewhere may know the pact's own token. */
interface Options {
  isReference: boolean;
}

/**
 * Adds the document's line and the gap to the problems of an interaction. If the status is wrong, only the status is explained: the
 * other problems follow from it.
 */
export function explained(provider: Verifiable, seen: Seen, problems: readonly Problem[], options: Options): Problem[] {
  const follow = problems.some(isOtherOutcome);
  const subject = provider === 'webhook-receiver' ? undefined : subjectOf(provider, seen);
  return problems.map((problem) => {
    if (subject === undefined || (follow && problem.kind !== 'status')) return problem;
    const { documented, gap } = explain(subject, problem);
    const remark = remarkOn(seen, problem, options);
    return {
      ...problem,
      ...(remark !== undefined && { message: remarked(problem.message, remark) }),
      ...(documented && { documented }),
      // The remark says why the status is another, so no open question does.
      ...(gap && remark === undefined && { gap }),
    };
  });
}

function subjectOf(provider: Exclude<Verifiable, 'webhook-receiver'>, { written, exchange }: Seen): Subject | undefined {
  const { request, message } = exchange;
  if (request) {
    const expected = written.kind === 'http' ? { status: written.reply.status } : {};
    return { provider, kind: 'http', method: request.method, path: request.path, ...expected };
  }
  const event = written.kind === 'message' ? eventTypeOf(written) : fieldsOf(jsonOr(message?.body ?? '', undefined)).event;
  return event === undefined ? undefined : { provider, kind: 'message', event: String(event) };
}

const replacedToken =
  "The token that a state returned was sent in place of the pact's own. To send the pact's own token, name no state that returns one.";
const noToken =
  'No state of this interaction gives a token, so the example in its Authorization header was sent: name "an access token" too (version 2: "an access token and a store").';

/** Says where a redirect leads, or whose token was sent: a token of a state replaces the pact's own. */
function remarkOn({ values, exchange }: Seen, { kind, expected, actual }: Problem, { isReference }: Options): string | undefined {
  if (kind !== 'status') return undefined;
  if (isRedirect(actual)) return movedTo(exchange.reply?.headers.location);
  if (!/^Bearer /i.test(exchange.request?.headers.authorization ?? '')) return undefined;
  const isOfState = typeof values.token === 'string';
  if (expected === '401') return isOfState ? replacedToken : undefined;
  return actual === '401' && !isOfState && isReference ? noToken : undefined;
}

/** Adds a sentence to a message. */
export const remarked = (message: string, remark: string): string => `${message.replace(/(?<![.?!])$/, '.')} ${remark}`;

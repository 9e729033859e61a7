import { isDeepStrictEqual } from 'node:util';
import { fieldsOf, type JsonReply } from '../../json.ts';
import { type Asked, type CallFacts, type Changed, type Exchange, type Is, type JsonMessage, stages } from './is.ts';

/** The parts of an alternative in the order in which they are applied. */
export const inOrder = (is: Is | readonly Is[]): Is[] =>
  [is].flat().toSorted((one, other) => stages.indexOf(one.at) - stages.indexOf(other.at));

/** The reply as each of the parts changes what those before it left. `request`: as it was sent. */
export const replyUnder = (parts: readonly Is[], reply: JsonReply, request: Asked): JsonReply =>
  parts.reduce((before, part) => part.reply?.(before, request) ?? before, reply);

/** The webhook as each of the parts changes what those before it left. */
export const messageUnder = (parts: readonly Is[], message: JsonMessage): JsonMessage =>
  parts.reduce((before, part) => part.message?.(before) ?? before, message);

/**
 * What an alternative makes of an exchange; undefined if nothing. `reply` is absent if only the service can tell, because it
 * understands the request otherwise.
 */
export function effectOn(
  { request, reply }: Exchange,
  is: Is | readonly Is[],
  facts: CallFacts,
): { reply?: JsonReply } | undefined {
  const parts = inOrder(is);
  const { authorization } = request.headers;
  if (parts.some(({ token }) => token && token(authorization, request.headers) !== authorization)) return {};
  // A caller who is not let in, or has no call left, is refused before the request is looked at.
  const isLookedAt = reply.status !== 401 && reply.status !== 429;
  for (const part of isLookedAt ? parts : []) {
    const changed = part.request?.(request, facts) ?? {};
    if ('message' in changed) return { reply: { ...reply, status: changed.status, body: changed.message } };
    if (isReadOtherwise(changed, request, reply)) return {};
    if (part.paymentsArePending && request.operation === 'POST /payment/mobile' && reply.status < 400) return {};
  }
  const after = replyUnder(parts, reply, request);
  return isDeepStrictEqual(after, reply) ? undefined : { reply: after };
}

function isReadOtherwise({ afterValidation, ...changed }: Changed, request: Asked, reply: JsonReply): boolean {
  const { query, headers, body } = { ...request, ...changed };
  // Validation refused what was sent, or else the operation worked with it.
  const read = afterValidation && reply.status < 400 ? afterValidation(fieldsOf(body)) : body;
  return !isDeepStrictEqual([query, headers, read], [request.query, request.headers, request.body]);
}

/** What an alternative makes of a webhook; undefined if nothing. */
export function effectOnMessage(message: JsonMessage, is: Is | readonly Is[]): JsonMessage | undefined {
  const after = messageUnder(inOrder(is), message);
  return isDeepStrictEqual(after, message) ? undefined : after;
}

import { findAlternative } from '../../../spec/gaps/gaps.ts';
import { harmlessChanges } from '../../../spec/gaps/harmless.ts';
import { effectOn, effectOnMessage } from '../../../spec/gaps/is/effect.ts';
import type { Is } from '../../../spec/gaps/is/is.ts';
import { without } from '../../../spec/gaps/is/values.ts';
import { isRecord, type JsonReply } from '../../../spec/json.ts';
import { parsed } from '../../../spec/openapi/asked.ts';
import { shownOfRequest } from '../../../spec/openapi/operations.ts';
import type { RecordedCall } from '../../../stubs/journal/call.ts';
import type { Stub } from '../../../stubs/types.ts';
import { exchangeOf } from '../recording/recorded.ts';
import { Hider, secretsIn } from '../secrets.ts';
import { candidatesOf } from './candidates.ts';
import type { Difference, Shown } from './types.ts';

/** The alternatives that would have changed something in a plain run, and what: one difference for each operation or webhook. */
export type Exercised = Map<string, Difference[]>;

/**
 * Notes which alternatives would have changed what a stub does. It judges at once, because a reset of the stub empties its journal.
 * Returns a function that resolves when all is judged.
 */
export function judgeUse(stub: Stub, exercised: Exercised): () => Promise<void> {
  const { api } = stub;
  const candidates = candidatesOf(api);
  /** `effectOf`: what an alternative makes of it, if that is known. */
  const judge = (where: string, before: Shown, effectOf: (is: Is | readonly Is[]) => { reply?: Shown } | undefined) => {
    for (const { id, gap } of candidates) {
      const known = exercised.get(id) ?? [];
      if (known.some((other) => other.where === where)) continue;
      const harmless = harmlessChanges[gap];
      const { is } = findAlternative(id) ?? harmless ?? {};
      // A harmless change that no function describes shows in every reply, or in every webhook.
      const isShown = where.startsWith('webhook ') === (harmless?.needsReceiver ?? false);
      const effect = is ? effectOf(is) : isShown && {};
      if (!effect) continue;
      const { reply: after } = effect;
      exercised.set(id, [...known, after ? { where, before: shown(before, after), after: shown(after, before) } : { where }]);
    }
  };
  const judgeCall = (call: RecordedCall) => {
    // A HEAD is answered as its GET.
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    const { request, reply: recorded } = exchangeOf(api, { ...call, method });
    const reply = { ...recorded, body: ownBody(recorded) };
    const facts = shownOfRequest(api, request.operation);
    judge(request.operation, reply, (is) => effectOn({ request, reply }, is, facts));
  };
  const judgeWebhook = async (event_id: string, event: string) => {
    const [delivery] = await stub.deliveries({ event_id });
    const headers = delivery?.attempts_made.at(-1)?.request_headers ?? {};
    const message = { event, metadata: headers, body: parsed(delivery?.body ?? ''), token: 'a token of the endpoint' };
    judge(`webhook ${event}`, { ...message, headers }, (is) => {
      const after = effectOnMessage(message, is);
      return after && { reply: { ...after, headers: after.metadata as Shown['headers'] } };
    });
  };
  const webhooks: Promise<void>[] = [];
  stub.subscribe((event) => {
    if (event.kind === 'call' && event.call.status !== 0) judgeCall(event.call);
    // An attempt without an answer reached no receiver.
    if (event.kind === 'attempt' && event.attempt.responseStatus !== null)
      webhooks.push(judgeWebhook(event.attempt.eventId, event.attempt.eventType));
  });
  return async () => {
    await stub.settled();
    await Promise.all(webhooks);
  };
}

/** The body without the help that a stub adds to a refusal. */
const ownBody = ({ status, body }: JsonReply): unknown => (status >= 400 && isRecord(body) ? without(body, 'help') : body);

function shown({ status, headers, body }: Shown, other: Shown): Shown {
  const hider = new Hider([...secretsIn(headers), ...secretsIn(body)]);
  const differing = Object.entries(headers).filter(([name, value]) => other.headers[name] !== value);
  return {
    ...(status !== undefined && { status }),
    headers: hider.value(Object.fromEntries(differing)) as Record<string, string>,
    ...(body !== undefined && { body: hider.value(body) }),
  };
}

import { isDeepStrictEqual } from 'node:util';
import { defaultRetrySeconds } from '../../../../gateway/webhooks/delivery/retry.ts';
import type { ServiceName } from '../../../documents/services.ts';
import { fieldsOf } from '../../json.ts';
import { choice, excludes, type Finding, nothing, shows } from '../finding.ts';
import { isText } from '../look.ts';
import { identityOf, idOf, isAccepted, type SeenWebhook, type WebhookRecogniser } from './webhook.ts';

/** What several attempts say together: retries, order, duplicates, time-outs. */

const retryGaps = { pos: 'pos.webhook-retries', cohesion: 'cohesion.webhook-retries' };
const orderGaps = { pos: 'pos.event-order', cohesion: 'cohesion.event-order' };

const secondsBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;
/** What a receiver asks for with its answer says nothing of the service's own schedule. */
const isAskedFor = ({ answer }: SeenWebhook) => answer?.headers['retry-after'] !== undefined || answer?.status === 410;
const attemptsBefore = (api: ServiceName, webhook: SeenWebhook, earlier: readonly SeenWebhook[]) => {
  const identity = identityOf(api, webhook);
  return identity === undefined ? [] : earlier.filter((one) => identityOf(api, one) === identity);
};

/** A minute after a failure, our second attempt was made long ago. */
const [patience, slack] = [60, 30];

const retries =
  (api: ServiceName): WebhookRecogniser =>
  (webhook, earlier) => {
    const gap = retryGaps[api];
    const before = attemptsBefore(api, webhook, earlier);
    const last = before.at(-1);
    const found = isForgotten(api, webhook, earlier)
      ? excludes(gap, [choice], 'a webhook that was not accepted is not sent again within a minute')
      : nothing;
    if (last === undefined || before.some(isAccepted)) return found;
    return [
      ...found,
      ...excludes(gap, ['none'], 'a webhook that was not accepted is sent again'),
      ...(before.some(isAskedFor) ? nothing : pause(gap, before.length, secondsBetween(last.endedAt, webhook.at))),
    ];
  };

/** Compares the pause before a retry with our schedule, whose jitter is a tenth. */
function pause(gap: string, retry: number, seconds: number): Finding[] {
  const ours = defaultRetrySeconds[retry];
  if (ours === undefined || (seconds >= ours * 0.8 && seconds <= ours * 1.2 + slack)) return nothing;
  const than = seconds < ours ? 'sooner' : 'later';
  return excludes(gap, [choice], `retry ${retry} comes ${than} than after the ${ours} s of our choice`);
}

/** True if an earlier webhook failed, and was not sent again while there was time for it. */
const isForgotten = (api: ServiceName, webhook: SeenWebhook, earlier: readonly SeenWebhook[]) =>
  earlier.some((one) => {
    const identity = identityOf(api, one);
    if (identity === undefined || isAccepted(one) || isAskedFor(one)) return false;
    const attempts = [...earlier, webhook].filter((another) => identityOf(api, another) === identity);
    return attempts.length === 1 && secondsBetween(one.endedAt, webhook.at) > patience;
  });

const order =
  (api: ServiceName): WebhookRecogniser =>
  (webhook, earlier) => {
    const gap = orderGaps[api];
    return attemptsBefore(api, webhook, earlier).some(isAccepted) && isTwice(api, webhook, earlier)
      ? shows(gap, 'twice', 'several events arrive again though they were accepted')
      : nothing;
  };

/** One answer may have been lost on its way. Two are a habit. Without an id, only an equal body is the same event for certain. */
function isTwice(api: ServiceName, webhook: SeenWebhook, earlier: readonly SeenWebhook[]): boolean {
  const again = [...earlier, webhook].filter((one, at, all) =>
    attemptsBefore(api, one, all.slice(0, at)).some(
      (before) => isAccepted(before) && (idOf(one) !== undefined || isDeepStrictEqual(before.body, one.body)),
    ),
  );
  return new Set(again.map((one) => identityOf(api, one))).size > 1;
}

const deliveredAt: WebhookRecogniser = (webhook, earlier) => {
  const gap = 'cohesion.delivered-at';
  const last = attemptsBefore('cohesion', webhook, earlier).at(-1);
  const [one, another] = [last, webhook].map((seen) => fieldsOf(seen?.body).delivered_at);
  if (last === undefined || !isText(one) || !isText(another)) return nothing;
  // Without an id, what comes after an accepted event is another event of equal data.
  if (idOf(webhook) === undefined && isAccepted(last)) return nothing;
  return one === another
    ? shows(gap, choice, 'delivered_at is the same in each attempt')
    : shows(gap, 'attempt', 'delivered_at is another in each attempt');
};

const waits: readonly [way: string, seconds: number][] = [
  ['5-s', 5],
  [choice, 15],
  ['30-s', 30],
];

/** A service that waited longer has no shorter time-out. One that went away at the time of a choice has it. */
const timeouts: WebhookRecogniser = ({ at, endedAt, isGivenUp }) => {
  const gap = 'cohesion.webhook-timeouts';
  const seconds = secondsBetween(at, endedAt);
  const [way] = waits.find(([, wait]) => Math.abs(seconds - wait) <= 1) ?? [];
  if (isGivenUp && way !== undefined) return shows(gap, way, 'the service ends an attempt after the time of this choice');
  const shorter = waits.filter(([, wait]) => wait < seconds - 1).map(([one]) => one);
  return shorter.length === 0 ? nothing : excludes(gap, shorter, 'the service waits longer for an answer');
};

export const attempts: Readonly<Record<ServiceName, readonly WebhookRecogniser[]>> = {
  pos: [retries('pos'), order('pos')],
  cohesion: [retries('cohesion'), order('cohesion'), deliveredAt, timeouts],
};

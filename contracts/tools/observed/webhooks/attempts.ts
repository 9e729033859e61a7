import { isDeepStrictEqual } from 'node:util';
import { defaultRetrySeconds } from '../../../../gateway/webhooks/delivery/retry.ts';
import { fieldsOf } from '../../../../spec/json.ts';
import { isText } from '../call.ts';
import { choice, finding, not, nothing, type Recogniser, type Recognisers, rule } from '../finding.ts';
import { isAccepted, type SeenWebhook } from './webhook.ts';

/** What several attempts say together: retries, order, duplicates, time-outs. */

const secondsBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;
/** True if the receiver's answer asked for this attempt. Such an attempt says nothing about the service's own schedule. */
const isAskedFor = ({ answer }: SeenWebhook) => answer?.headers['retry-after'] !== undefined || answer?.status === 410;
const attemptsBefore = ({ identity }: SeenWebhook, earlier: readonly SeenWebhook[]) =>
  earlier.filter((one) => identity !== undefined && one.identity === identity);

/** In seconds. Our second attempt comes long before the minute of `patience` is over. */
const [patience, slack] = [60, 30];

const retries =
  (gap: string): Recogniser<SeenWebhook> =>
  (webhook, earlier) => {
    const before = attemptsBefore(webhook, earlier);
    const last = before.at(-1);
    const found = isForgotten(webhook, earlier)
      ? finding(gap, not(choice), 'a webhook that was not accepted is not sent again within a minute')
      : nothing;
    if (last === undefined || before.some(isAccepted)) return found;
    return [
      ...found,
      ...finding(gap, not('none'), 'a webhook that was not accepted is sent again'),
      ...(before.some(isAskedFor) ? nothing : pause(gap, before.length, secondsBetween(last.endedAt, webhook.at))),
    ];
  };

/** Compares the pause before a retry with our schedule, whose jitter is a tenth. */
function pause(gap: string, retry: number, seconds: number) {
  const ours = defaultRetrySeconds[retry];
  if (ours === undefined || (seconds >= ours * 0.8 && seconds <= ours * 1.2 + slack)) return nothing;
  const than = seconds < ours ? 'sooner' : 'later';
  return finding(gap, not(choice), `retry ${retry} comes ${than} than after the ${ours} s of our choice`);
}

/** True if an earlier webhook failed, and was not sent again while there was time for it. */
const isForgotten = (webhook: SeenWebhook, earlier: readonly SeenWebhook[]) =>
  earlier.some((one) => {
    if (isAccepted(one) || isAskedFor(one)) return false;
    return attemptsBefore(one, [...earlier, webhook]).length === 1 && secondsBetween(one.endedAt, webhook.at) > patience;
  });

const order = (gap: string) =>
  rule<SeenWebhook>(gap, (webhook, earlier) => {
    if (!attemptsBefore(webhook, earlier).some(isAccepted)) return undefined;
    const again = [...earlier, webhook].filter((one, at, all) =>
      attemptsBefore(one, all.slice(0, at)).some(
        // Without an id, only an equal body is the same event for certain.
        (before) => isAccepted(before) && (one.id !== undefined || isDeepStrictEqual(before.body, one.body)),
      ),
    );
    // One answer may have been lost on its way. Two show that the service works so.
    const isHabit = new Set(again.map((one) => one.identity)).size > 1;
    return isHabit && ['twice', 'several events arrive again though they were accepted'];
  });

const deliveredAt = rule<SeenWebhook>('cohesion.delivered-at', (webhook, earlier) => {
  const last = attemptsBefore(webhook, earlier).at(-1);
  const [one, another] = [last, webhook].map((seen) => fieldsOf(seen?.body).delivered_at);
  // A webhook without an id that follows an accepted one is a new event with equal data.
  if (last === undefined || (webhook.id === undefined && isAccepted(last))) return undefined;
  if (!isText(one) || !isText(another)) return undefined;
  return one === another
    ? [choice, 'delivered_at is the same in each attempt']
    : ['attempt', 'delivered_at is another in each attempt'];
});

const waits = Object.entries({ '5-s': 5, [choice]: 15, '30-s': 30 });

/**
 * If the service waited longer than a choice's time-out, it does not have that time-out. If it closed the connection at that
 * time, it has it.
 */
const timeouts = rule<SeenWebhook>('cohesion.webhook-timeouts', ({ at, endedAt, isGivenUp }) => {
  const seconds = secondsBetween(at, endedAt);
  const [way] = waits.find(([, wait]) => Math.abs(seconds - wait) <= 1) ?? [];
  if (isGivenUp && way !== undefined) return [way, 'the service ends an attempt after the time of this choice'];
  const shorter = waits.filter(([, wait]) => wait < seconds - 1).map(([one]) => one);
  return shorter.length > 0 && [not(...shorter), 'the service waits longer for an answer'];
});

export const attempts: Recognisers<SeenWebhook> = {
  pos: [retries('pos.webhook-retries'), order('pos.event-order')],
  cohesion: [retries('cohesion.webhook-retries'), order('cohesion.event-order'), deliveredAt, timeouts],
};

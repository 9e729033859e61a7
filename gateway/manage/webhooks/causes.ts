import { z } from 'zod';
import { type Cause, causeCases, failureNames, waitingCountedTo } from '../../base/causes/cause.ts';
import { blockedKeys } from '../../figures/blocked.ts';
import { causeOfDelivery, causeText, countWaiting } from '../../figures/cause.ts';
import { instant, named } from '../../http/fields.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';

const count = z.int().nullable();

/** Why something has not arrived: a case and its values, so that it can be said in any language, and the sentence. */
export const causeView = named('Cause', {
  case: z.enum(causeCases),
  text: z.string().describe('The cause in one sentence or two.'),
  values: z.object({
    host: z.string().describe("The endpoint's host."),
    failure: z
      .union([z.int(), z.enum(failureNames)])
      .nullable()
      .describe('The status of the response, or the class of the error.'),
    mixed: z.boolean().describe('True if the failures since then were not all of this kind. `failure` is the last one.'),
    since: instant()
      .nullable()
      .describe(
        'The first failure since the last success. `blocked`: when the oldest delivery that blocks became a dead letter.',
      ),
    failed: count,
    attempts: count,
    waiting: count.describe(
      `Pending deliveries of the endpoint, or with \`blocked\` those behind its dead letters, counted up to ${waitingCountedTo}. Null in lists, which do not count them.`,
    ),
    blocking: count.describe('`blocked`: dead letters for which the deliveries behind them wait.'),
    next_at: instant().nullable().describe('When the gateway tries again.'),
  }),
});

export const viewCause = (cause: Cause | null): z.input<typeof causeView> | null => cause && { ...cause, text: causeText(cause) };

/**
 * Returns a function that says why a delivery has not arrived. The endpoints are read together. With `counts`, it also says how
 * many deliveries wait, which takes a count for each endpoint.
 */
export async function causesOf(
  rows: Rows,
  deliveries: readonly Row<'deliveries'>[],
  { nowMs, counts = false }: { nowMs: number; counts?: boolean },
): Promise<(delivery: Row<'deliveries'>) => z.input<typeof causeView> | null> {
  const open = deliveries.filter(({ status }) => status !== 'delivered');
  const ids = [...new Set(open.map(({ endpoint_id }) => endpoint_id))];
  const endpoints = ids.length === 0 ? [] : await rows.list('endpoints', { where: { id: { in: ids } } });
  const waits = counts ? await Promise.all(endpoints.map(({ id }) => countWaiting(rows, id))) : [];
  const known = new Map(endpoints.map((endpoint, index) => [endpoint.id, { endpoint, waiting: waits[index] ?? null }]));
  const behind = await blockedKeys(rows, deliveries, { counts });
  return (delivery) => {
    const { endpoint, waiting = null } = known.get(delivery.endpoint_id) ?? {};
    const blocked = behind.get(delivery.order_key ?? '');
    return viewCause(causeOfDelivery(delivery, endpoint, nowMs, { waiting, blocked }));
  };
}

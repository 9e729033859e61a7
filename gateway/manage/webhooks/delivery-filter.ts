import { z } from 'zod';
import { instant, intParam, searchText, text, toInstantOrNull } from '../../http/fields.ts';
import { deliveryStatuses, type RecoveryFilter, recoverableStatuses } from '../../store/tables/webhooks.ts';
import { textReach } from '../../webhooks/operator/recoveries.ts';
import { aboutSubjects, partnerFilter } from '../partners.ts';
import { type Catalogue, eventTypeFilter, idText, ownerFilter, period, reasonFilter } from './views.ts';

/**
 * What selects deliveries in lists, counts, exports and recoveries. A new filter by a column is a field here and in
 * `deliverySelectors`, with an index; the pages have it in `console/page/parts/delivery/list-page.tsx`.
 */
const selection = <W extends z.ZodType>(
  catalogue: Catalogue,
  id: () => z.ZodString,
  whole: (least: number, most: number) => W,
) => ({
  owner: ownerFilter.describe('Only deliveries to endpoints of this account (`account:ID`) or user (`user:ID`).'),
  endpoint_id: id().optional(),
  event_id: id().optional(),
  event_type: eventTypeFilter(id(), catalogue),
  reason: reasonFilter(id()),
  response_status: whole(100, 599).optional().describe('The HTTP status of the last response.'),
  ...period,
  q: searchText().optional().describe("Text in the event's body, case-sensitive."),
});

export const deliveryFilters = (catalogue: Catalogue) => ({
  ...selection(catalogue, idText, intParam),
  status: z.enum(deliveryStatuses).optional().describe('`failed`: dead letters.'),
  waits_for: z
    .enum(['time', 'turn'])
    .optional()
    .describe('Pending deliveries that wait for their time (`time`), or for capacity or order at their endpoint (`turn`).'),
  blocking: z
    .literal('true')
    .transform(() => true)
    .optional()
    .describe('Only deliveries that have failed at an ordered endpoint, and for which those behind them wait.'),
  partner: partnerFilter.describe(`${aboutSubjects} Also part of the name of the account or user that owns the endpoint.`),
});

const statuses = z
  .array(z.enum(recoverableStatuses))
  .min(1, `must name at least one status: ${recoverableStatuses.join(', ')}`)
  .max(recoverableStatuses.length, `must name at most ${recoverableStatuses.length} statuses`);

export const recoveryFields = (catalogue: Catalogue) => {
  const whole = (least: number, most: number) => z.int().min(least).max(most);
  const fields = selection(catalogue, () => text(100), whole);
  const reach = `Looked for in at most ${textReach.toLocaleString('en-US')} deliveries.`;
  return {
    ...fields,
    q: fields.q.describe(`${fields.q.description} ${reach}`),
    statuses: statuses
      .default(['pending', 'failed'])
      .describe(
        '`pending`: deliveries that wait for their next attempt or their turn. `failed`: dead letters. `skipped`: deliveries that an inactive endpoint missed.',
      ),
  };
};

type Shown = Exclude<keyof RecoveryFilter, 'response_status' | 'from' | 'to' | 'statuses'>;
const texts = ['owner', 'endpoint_id', 'event_id', 'event_type', 'reason', 'q'] as const satisfies Shown[];
const nullable = Object.fromEntries(texts.map((name) => [name, z.string().nullable()])) as Record<
  Shown,
  z.ZodNullable<z.ZodString>
>;

/** The same in replies. */
export const recoveryFilterView = z.object({
  ...nullable,
  owner: z.string().nullable().describe('The account or user whose endpoints it sends to; null for those of everybody.'),
  response_status: z.int().nullable(),
  from: instant().nullable(),
  to: instant().nullable(),
  statuses,
});

export const viewRecoveryFilter = (filter: RecoveryFilter): z.input<typeof recoveryFilterView> => ({
  ...(Object.fromEntries(texts.map((name) => [name, filter[name] ?? null])) as Record<Shown, string | null>),
  response_status: filter.response_status ?? null,
  from: toInstantOrNull(filter.from ?? null),
  to: toInstantOrNull(filter.to ?? null),
  statuses: filter.statuses,
});

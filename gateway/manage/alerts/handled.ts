import { z } from 'zod';
import { changeOf, instant, moment, toInstantOrNull, visibleText } from '../../http/fields.ts';
import { isSnoozed } from '../../store/tables/alerts.ts';
import type { Row } from '../../store/tables/index.ts';

/** What an operator did with an alert. */
export const handled = {
  acknowledged_at: instant().nullable().describe('Since when somebody works on it: it is sent to nobody until it is over.'),
  snoozed_until: instant().nullable().describe('Until then it is sent to nobody, and left out of the headline of the overview.'),
  assigned_to: z.string().nullable().describe('The name of the operator who has it.'),
};

export const viewHandled = (alert: Pick<Row<'alerts'>, 'acknowledged_at' | 'snoozed_until' | 'assigned_to'>, nowMs: number) => ({
  acknowledged_at: toInstantOrNull(alert.acknowledged_at),
  snoozed_until: isSnoozed(alert, nowMs) ? toInstantOrNull(alert.snoozed_until) : null,
  assigned_to: alert.assigned_to,
});

export const alertHandling = changeOf(
  {
    acknowledged: z.boolean().describe('True: you work on it, and have it. Ends a snooze.'),
    snoozed_until: moment().nullable().describe('Within 30 days. Null ends the snooze.'),
    assigned_to: visibleText(60)
      .nullable()
      .describe("The name of an active operator, or `operator` for the installation's own token; null: nobody."),
  },
  'must have at least one of acknowledged, snoozed_until, assigned_to',
).refine(({ acknowledged, snoozed_until: until }) => !(acknowledged && until), {
  message: 'must not be both acknowledged and snoozed',
  params: { rule: 'one_of' },
});

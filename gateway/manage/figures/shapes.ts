import { z } from 'zod';
import { type PeriodName, periodNames } from '../../figures/periods.ts';
import { instant } from '../../http/fields.ts';
import { errorClasses } from '../../webhooks/model/reasons.ts';
import { noticeView } from '../webhooks/notices.ts';
import { endpointView } from '../webhooks/views.ts';

/** Shapes of the figures that the console shows. */

export const periodField = () =>
  z
    .enum(periodNames as [PeriodName, ...PeriodName[]])
    .default('hour')
    .describe('`hour`: 60 points of a minute. `day`: 144 of ten minutes. `week`: 168 of an hour. The last one is under way.');

const count = z.number().int();
const rate = z.number().nullable().describe('From 0 to 1; null where there was none.');
const milliseconds = z.number().nullable().describe('Null where there was none.');
const latency = z
  .object({ p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable()
  .describe('Milliseconds, interpolated between the bounds of 16 classes, so about right; null where there was none.');

export const periodView = z.object({
  name: z.enum(periodNames as [PeriodName, ...PeriodName[]]),
  from: instant().describe('Start of the first point.'),
  to: instant().describe('The moment of this answer.'),
  step_seconds: count.describe('The length of a point.'),
});

const at = instant().describe('Start of the point.');
const callClasses = {
  succeeded: count.describe('Answered 1xx, 2xx or 3xx.'),
  refused: count.describe('Answered 4xx, but for 429.'),
  limited: count.describe('Answered 429.'),
  failed: count.describe('Answered 5xx.'),
};

const calls = z.object({
  total: count,
  ...callClasses,
  success_rate: rate.describe('Those that did not fail: what is refused or limited is no failure. Null where there was none.'),
  latency_ms: latency,
  series: z.array(z.object({ at, ...callClasses, p95_ms: milliseconds })),
  by_api: z.array(z.object({ api: z.string(), total: count, ...callClasses })),
});

const attemptCounts = { attempts: count, succeeded: count, failed: count, success_rate: rate, latency_ms: latency };

const attempts = z.object({
  total: count,
  succeeded: count,
  failed: count,
  success_rate: rate,
  latency_ms: latency,
  series: z.array(z.object({ at, succeeded: count, failed: count, p95_ms: milliseconds })),
  by_outcome: z
    .array(z.object({ outcome: z.string().describe(`\`success\`, or one of: ${Object.keys(errorClasses).join(', ')}.`), count }))
    .describe('Most first.'),
});

const ended = 'Ended so in the period; one that was sent again ends again.';
const deliveries = z.object({
  delivered: count.describe(ended),
  failed: count.describe(ended),
  skipped: count.describe(ended),
  pending: count.describe('Now, counted up to `counted_to`.'),
  parked: count.describe('Of those pending, which wait for their turn.'),
  due_late: count.describe('Of those pending, which were due more than 30 s ago and wait for no turn.'),
  counted_to: count.describe('`pending`, `parked` and `due_late` stop here: there may be more.'),
});

const failure = { delivery_id: z.string(), outcome: z.string(), at: instant() };

const endpoints = z.object({
  total: count,
  active: count,
  held: count.describe('Held or probing.'),
  disabled: count,
  in_trouble: z
    .array(
      endpointView.extend({
        attempts: count.describe('In the period.'),
        failed: count.describe('Attempts of the period that failed.'),
        last_failure: z.object(failure).nullable(),
      }),
    )
    .describe('At most 20: held, probing, disabled as `gone` or `failing`, or without a success for a while.'),
});

export const overviewView = z.object({
  period: periodView,
  calls,
  attempts,
  deliveries,
  queue: z
    .object({ waiting: count, delayed: count, active: count })
    .nullable()
    .describe('Jobs of the delivery queue; null while it does not answer.'),
  endpoints,
  limits: z.object({
    refused: count.describe('Calls refused by a limit, of callers that are known.'),
    top: z.array(z.object({ caller: z.string(), limit: z.string(), refused: count })).describe('At most 10, most refused first.'),
  }),
  ledger: z
    .object({
      balanced: z.boolean().nullable(),
      unaccounted: count.nullable().describe('0, or something was lost.'),
      events_awaiting_fan_out: count.nullable(),
      as_of: instant().nullable().describe('When it was last audited.'),
    })
    .describe('As the audit last saw it; null before its first round, and while the store cannot be read.'),
  recorder: z.object({
    backlog: count.describe('Calls that wait to be written.'),
    lost: count.describe('Records dropped under overload since the start.'),
  }),
  recoveries: z.object({ running: count }),
  notices: z.array(noticeView).describe('The last 5.'),
});

export const endpointFiguresView = z.object({
  endpoint_id: z.string(),
  ...attemptCounts,
  delivered: count.describe(ended),
  dead: count.describe(`Dead letters. ${ended}`),
  pending: count.describe('Now.'),
  in_flight: count.nullable().describe('Attempts under way now; null where that is not known.'),
  series: z.array(z.object({ at, succeeded: count, failed: count })),
  last_failures: z.array(z.object({ ...failure, response_status: count.nullable() })).describe('At most 5, newest first.'),
});

const share = z.number().describe('From 0 to 1.');

export const callerLimitsView = z.object({
  caller: z.string().describe('As in recorded calls: `account:ID` or `token:ID`.'),
  kind: z.enum(['account', 'token']),
  id: z.string(),
  name: z.string().nullable().describe('The account, or user and token; null where it is not there any more.'),
  plan: z.string().nullable().describe('Of an account.'),
  limits: z
    .array(
      z.object({
        name: z.string(),
        limit: count.describe('Calls in a window; the greatest in the period.'),
        window_seconds: z.number().nullable().describe('Null where it is not known.'),
        used_now: count.nullable().describe("As the caller's last call met it; null where another limit was nearer to its end."),
        remaining_now: count.nullable(),
        resets_at: instant().nullable().describe('Null where no window is open.'),
        peak_share: share.describe('The greatest share of the limit that was used in the period, from 0 to 1.'),
        calls: count.describe('Calls that this limit was nearest to refuse.'),
        refused: count,
      }),
    )
    .describe('Those that were nearest to their end at some call of the period; none where the caller has no limit.'),
  calls: count,
  refused: count,
  state: z.enum(['ok', 'near', 'over']).describe('`over`: a call was refused. `near`: 80 % of a limit or more were used.'),
  series: z.array(z.object({ at, calls: count, refused: count, peak_share: share })),
});

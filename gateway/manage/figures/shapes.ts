import { z } from 'zod';
import { serviceNames } from '../../../spec/documents/services.ts';
import { failureNames } from '../../base/causes/cause.ts';
import { timedEndpoints } from '../../figures/endpoints.ts';
import { type PeriodName, periodNames } from '../../figures/periods.ts';
import { type TroubleName, troubleNames } from '../../figures/trouble.ts';
import { instant } from '../../http/fields.ts';
import { errorClasses } from '../../webhooks/model/reasons.ts';
import { causeView } from '../webhooks/causes.ts';
import { noticeView } from '../webhooks/notices.ts';
import { ownedEndpointView } from '../webhooks/views.ts';
import { endpointTroubles, severities, type VerdictCase, verdictTexts } from './verdict.ts';

/** Schemas of the figures that the console shows. */

export const periodField = () =>
  z
    .enum(periodNames as [PeriodName, ...PeriodName[]])
    .default('hour')
    .describe(
      '`hour`: 60 points of a minute. `day`: 144 of ten minutes. `week`: 168 of an hour. The last point is not complete yet.',
    );

const count = z.int();
const rate = z.number().nullable().describe('From 0 to 1; null if there was nothing to count.');
const milliseconds = z.number().nullable().describe('Null if there was none.');
const latency = z
  .object({ p50: z.number(), p95: z.number(), p99: z.number() })
  .nullable()
  .describe('Milliseconds, each within 5 % from 1 ms to ten minutes; null if there was none.');

export const periodView = z.object({
  name: z.enum(periodNames as [PeriodName, ...PeriodName[]]),
  from: instant().describe('Start of the first point.'),
  to: instant().describe('The time of this reply.'),
  step_seconds: count.describe('The length of a point in seconds.'),
});

const at = instant().describe('Start of the point.');
const callClasses = {
  succeeded: count.describe('Answered 1xx, 2xx or 3xx.'),
  refused: count.describe('Answered 4xx, except 429.'),
  limited: count.describe('Answered 429.'),
  failed: count.describe('Answered 5xx.'),
};

const calls = z.object({
  total: count.describe(`Calls of the APIs ${serviceNames.join(' and ')}. Those of the console and the profile are not counted.`),
  ...callClasses,
  success_rate: rate.describe(
    'The share of calls that did not fail. Refused and limited calls are not failures. Null if there was none.',
  ),
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

const ended = 'Deliveries that ended this way in the period. A delivery that is sent again ends again.';
const noTests = 'A test that failed is not counted.';
const deliveries = z.object({
  delivered: count.describe(ended),
  failed: count.describe(`${ended} ${noTests}`),
  skipped: count.describe(ended),
  pending: count.describe('Current number, counted up to `counted_to`.'),
  parked: count.describe('Pending deliveries that wait for capacity or order at their endpoint.'),
  due_late: count.describe('Pending deliveries that were due more than 30 s ago and do not wait for their endpoint.'),
  dead_letters: count.describe(`Deliveries created in the period that have failed permanently. ${noTests}`),
  counted_to: count.describe(
    '`pending`, `parked`, `due_late` and `dead_letters` are counted up to this number. There may be more.',
  ),
});

const failure = { delivery_id: z.string(), outcome: z.string(), response_status: count.nullable(), at: instant() };

const endpoints = z.object({
  total: count,
  active: count,
  well: count.describe('Endpoints that are sent to, and need no attention. With the next three, they add up to `total`.'),
  troubled: count.describe('Endpoints that are sent to, and need attention: they fail, or are behind.'),
  held: count.describe('Endpoints that are held or probed.'),
  disabled: count.describe('Endpoints that are sent nothing, such as a paused one.'),
  in_trouble: z
    .array(
      ownedEndpointView.extend({
        attempts: count.describe('Attempts in the period.'),
        failed: count.describe('Failed attempts in the period.'),
        trouble: z.object({
          name: z.enum(troubleNames as [TroubleName, ...TroubleName[]]),
          since: instant().nullable().describe('Null if unknown.'),
          attempts: count.describe('Attempts in the last minute.'),
          failed: count.describe('Failed attempts in the last minute.'),
          owed: count.nullable().describe('Its deliveries that have not arrived, without tests, counted up to `counted_to`.'),
          waiting: count.nullable().describe('Its deliveries that wait for their turn, counted likewise.'),
          cause: causeView.nullable().describe('Why it fails; null if it does not.'),
        }),
        last_failure: z.object(failure).nullable(),
      }),
    )
    .describe('At most 20 endpoints that need attention, most urgent first. `verdict` names the same ones.'),
});

const clock = z
  .object({
    ahead_seconds: z.number().describe("How far the machine's clock is ahead of the database's."),
    wrong: z
      .boolean()
      .describe('True if it is more than 30 s off, either way: this process makes no deliveries until the clock is right.'),
  })
  .describe('Of the process that answers.');

const cases = [...endpointTroubles, ...(Object.keys(verdictTexts) as VerdictCase[])] as const;
const statement = {
  case: z.enum(cases).describe("The rule that found it. The operators' guide lists their texts."),
  values: z.record(z.string(), z.string()).describe('The parts of the text that vary.'),
  raw: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .describe(
      'The same values for a text in another language: numbers, `median` in milliseconds, `period` as its name, and `reason` as ' +
        `the status of the response or one of: ${failureNames.join(', ')}.`,
    ),
};
const verdict = z
  .object({
    state: z.enum(['ok', 'warning', 'error']),
    text: z.string().describe('What is wrong, most urgent first, or that all is well.'),
    ...statement,
    problems: z
      .array(
        z.object({
          ...statement,
          severity: z.enum(severities).describe('`error` needs an operator, `warning` may pass, `note` is as someone wants it.'),
          text: z.string(),
          endpoints: z.array(z.object({ id: z.string(), url: z.string() })).describe('At most 3.'),
          since: instant().nullable(),
          cause: causeView.nullable().describe('What is wrong with a single endpoint, as `text` says it.'),
          owed: count
            .nullable()
            .describe('Deliveries that have not arrived at its endpoints, without tests, counted up to `counted_to`.'),
        }),
      )
      .describe('Most urgent first.'),
  })
  .describe('Whether all is well now. It is derived from the same rows as `endpoints.in_trouble`.');

export const overviewView = z.object({
  verdict,
  period: periodView,
  calls,
  attempts,
  deliveries,
  queue: z
    .object({ waiting: count, delayed: count, active: count })
    .nullable()
    .describe('Jobs in the delivery queue, each with up to 16 deliveries; null if the queue does not respond.'),
  clock,
  endpoints,
  limits: z.object({
    refused: count.describe('Calls of known callers that a limit refused.'),
    top: z
      .array(
        z.object({
          caller: z.string(),
          name: z.string().nullable().describe('Name of the account or token. Null if it was deleted.'),
          limit: z.string(),
          refused: count,
        }),
      )
      .describe('At most 10, most refused first.'),
  }),
  ledger: z
    .object({
      balanced: z.boolean().nullable(),
      unaccounted: count.nullable().describe('Deliveries that are missing or too many: 0 unless one was lost or made twice.'),
      missing: z
        .object({ events: count, deliveries: count, attempts: count })
        .nullable()
        .describe('Rows that are missing, by table.'),
      surplus: z.object({ deliveries: count, attempts: count }).nullable().describe('Rows too many, by table.'),
      events_awaiting_fan_out: count.nullable(),
      as_of: instant().nullable().describe('Time of the last audit.'),
    })
    .describe('Result of the last audit; null before the first audit and while the store cannot be read.'),
  recorder: z.object({
    backlog: count.describe('Recorded calls that wait to be written.'),
    lost: count.describe('Recorded calls dropped under overload since the start.'),
  }),
  recoveries: z.object({ running: count }),
  notices: z.array(noticeView).describe('The newest 5.'),
});

export const endpointFiguresView = z.object({
  endpoint_id: z.string(),
  ...attemptCounts,
  delivered: count.describe(ended),
  dead: count.describe(`Dead letters. ${ended} ${noTests}`),
  pending: count.describe('Now.'),
  in_flight: count.nullable().describe('Attempts in flight now; null if unknown.'),
  series: z.array(
    z.object({
      at,
      succeeded: count,
      failed: count,
      latency_ms: latency.describe(`Null if there was none, or if more than ${timedEndpoints} endpoints are asked for.`),
    }),
  ),
  last_failures: z.array(z.object(failure)).describe('At most 5, newest first.'),
});

const share = z.number().describe('From 0 to 1.');

export const callerLimitsView = z.object({
  caller: z.string().describe('As in recorded calls: `account:ID` or `token:ID`.'),
  kind: z.enum(['account', 'token']),
  id: z.string(),
  name: z.string().nullable().describe('The account, or user and token; null if deleted.'),
  plan: z.string().nullable().describe('The plan of an account.'),
  limits: z
    .array(
      z.object({
        name: z.string(),
        limit: count.describe('Calls per window; the greatest limit in the period.'),
        window_seconds: z.number().nullable().describe('Null if unknown.'),
        used_now: count
          .nullable()
          .describe("Calls used at the caller's last call; null if another limit was closer to exhaustion."),
        remaining_now: count.nullable(),
        resets_at: instant().nullable().describe('Null if no window is open.'),
        peak_share: share.describe('The greatest share of the limit used in the period, from 0 to 1.'),
        calls: count.describe('Calls for which this was the limit closest to exhaustion.'),
        refused: count,
      }),
    )
    .describe('Limits that were the closest to exhaustion at a call of the period; empty if the caller has no limit.'),
  calls: count,
  refused: count,
  state: z.enum(['ok', 'near', 'over']).describe('`over`: a call was refused. `near`: 80 % of a limit or more was used.'),
  series: z.array(z.object({ at, calls: count, refused: count, peak_share: share })),
});

import { durationForms, parseDuration } from '../../../gateway/base/duration.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { eventsOf } from '../../../spec/openapi/operations.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { readHar, type TakenRecording } from './har.ts';
import type { RecordedDelivery } from './recorded.ts';

type Filters = Readonly<Record<string, string | undefined>>;

/** What a recording needs of a gateway's manage API. `path` is a list, such as `/calls`. All errors are `CouldNotRun`. */
export interface GatewayRecords {
  /** The number of rows that match; `more` if it is only known that there are more than that. */
  count(path: string, filters: Filters): Promise<{ count: number; more: boolean }>;
  /** All rows that match as a file of this format. */
  exported(path: string, format: string, filters: Filters): Promise<Buffer>;
  /** The rows that match in pages, newest first. */
  pages<R>(path: string, filters: Filters): AsyncIterable<R[]>;
  /** Throws if there is no such row. */
  refuseUnknown(path: '/endpoints', id: string): Promise<void>;
}

export interface GatewayCallsOptions {
  service: ServiceName;
  /** `account:ID`, `token:ID`, or a part of the name of an account, a user or a token. */
  caller?: string | undefined;
  /** Only calls from this time on: ISO 8601, or how long ago, such as `2h`. */
  since?: string | undefined;
  /** Only calls before this time, in the same forms. */
  until?: string | undefined;
  /** The endpoint whose webhooks were the caller's. Without one the recording has no deliveries. */
  endpointId?: string | undefined;
  nowMs?: number;
}

/** Each call has two bodies, and all of them are in memory at once. A pact from many more calls would say the same. */
const mostCalls = 10_000;

/**
 * Reads a caller's calls from a running gateway, oldest first. The gateway has replaced their secrets when it recorded them.
 * Throws `CouldNotRun` if no call matches, or too many do.
 */
export async function readGatewayCalls(gateway: GatewayRecords, options: GatewayCallsOptions): Promise<TakenRecording> {
  const { service, caller, endpointId } = options;
  const period = periodOf(options);
  const filters = { api: service, ...callerFilter(caller), from: period.from, until: period.to };
  const { count, more } = await gateway.count('/calls', filters);
  if (more || count > mostCalls)
    throw new CouldNotRun(
      `More than ${Math.min(count, mostCalls)} calls match. Choose a shorter period with --since and --until, or one --caller.`,
    );
  if (count === 0) throw new CouldNotRun(await noCalls(gateway, options, { api: service, from: period.from, until: period.to }));
  const bytes = await gateway.exported('/calls', 'har', filters);
  const taken = readHar({ bytes, source: 'The gateway', service, host: null });
  const deliveries = endpointId === undefined ? [] : await deliveriesTo(gateway, endpointId, service, period);
  return { ...taken, recording: { ...taken.recording, deliveries } };
}

const callerFilter = (caller: string | undefined) =>
  caller === undefined ? {} : /^(account|token|operator):/.test(caller) ? { caller } : { partner: caller };

interface Period {
  from: string | undefined;
  to: string | undefined;
}

function periodOf({ since, until, nowMs = Date.now() }: GatewayCallsOptions): Period {
  const period = { from: timeOf('--since', since, nowMs), to: timeOf('--until', until, nowMs) };
  if (period.from !== undefined && period.to !== undefined && period.from >= period.to)
    throw new CouldNotRun(`--since ${since} (${period.from}) must be before --until ${until} (${period.to}).`);
  return period;
}

const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

function timeOf(option: string, text: string | undefined, nowMs: number): string | undefined {
  if (text === undefined) return undefined;
  const ago = parseDuration(text);
  const ms = ago !== undefined ? nowMs - ago : day.test(text) || moment.test(text) ? Date.parse(text) : Number.NaN;
  // JavaScript takes 2026-02-31 for a day in March.
  const isDay =
    !Number.isNaN(ms) &&
    (ago !== undefined || new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10)));
  if (isDay) return new Date(ms).toISOString();
  throw new CouldNotRun(
    `${option} ${text} is no time. Write a day (2026-11-21), a time with its zone (2026-11-21T08:00:00Z), or how long ago. ${durationForms}`,
  );
}

/** Names the callers of the newest calls, because a name is easily misspelt. */
async function noCalls(gateway: GatewayRecords, { service, caller }: GatewayCallsOptions, filters: Filters): Promise<string> {
  const none = `The gateway has no call of ${service}${caller === undefined ? '' : ` by ${caller}`} in this period.`;
  for await (const calls of gateway.pages<{ caller: string | null; caller_name: string | null }>('/calls', filters)) {
    const names = [...new Set(calls.flatMap((one) => (one.caller === null ? [] : `${one.caller} (${one.caller_name})`)))];
    return names.length === 0 ? none : `${none} The newest calls are by ${names.slice(0, 5).join(', ')}.`;
  }
  return none;
}

/** Returns one accepted delivery of each event at an endpoint, because each event becomes one message of the pact. */
async function deliveriesTo(
  gateway: GatewayRecords,
  endpointId: string,
  service: ServiceName,
  { from, to }: Period,
): Promise<RecordedDelivery[]> {
  await gateway.refuseUnknown('/endpoints', endpointId);
  const found: RecordedDelivery[] = [];
  for (const eventType of Object.keys(eventsOf(service))) {
    const filters = { endpoint_id: endpointId, event_type: eventType, status: 'delivered', from, to };
    for await (const deliveries of gateway.pages('/deliveries', filters)) {
      // A page may be empty although older ones are not: one call searches a bounded number of rows.
      if (deliveries.length === 0) continue;
      found.push({ eventType, body: '', accepted: true });
      break;
    }
  }
  return found;
}

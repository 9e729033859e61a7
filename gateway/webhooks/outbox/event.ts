import type { z } from 'zod';
import type { GapId } from '../../../spec/gaps/gaps.ts';
import { newId } from '../../base/ids.ts';
import { currentTrace } from '../../base/tracing.ts';
import type { Row } from '../../store/tables/index.ts';
import type { EventCause, EventService } from '../../store/tables/webhooks.ts';

export interface EventDefinition<S extends z.ZodType = z.ZodType> {
  type: string;
  service: EventService;
  summary: string;
  /** The schema of `data` in the envelope. */
  data: S;
  example: z.infer<S>;
  /** The ids of the gap entries that `data` relies on. */
  gaps: readonly GapId[];
}

/** Returns the definition unchanged; TypeScript checks that the example fits the schema. */
export const defineEvent = <S extends z.ZodType>(definition: EventDefinition<S>): EventDefinition<S> => definition;

export interface NewEvent {
  /** The id of the store or structure that the event is about. */
  subject: string | null;
  /** `data` in the envelope, as JSON. */
  dataText: string;
  /** The time of the change, in milliseconds since 1970. */
  now: number;
  causedBy: EventCause | null;
}

/**
 * Returns a new event's row, not yet fanned out. The envelope is serialized once, here: every attempt of every delivery
 * sends exactly these bytes.
 */
export const eventRow = (definition: EventDefinition, { subject, dataText, now, causedBy }: NewEvent): Row<'events'> => ({
  id: newId('evt'),
  service: definition.service,
  type: definition.type,
  subject,
  caused_by: causedBy,
  body: `{"event":${JSON.stringify(definition.type)},"delivered_at":"${isoWithOffset(now)}","data":${dataText}}`,
  traceparent: currentTrace(),
  created_at: now,
  fanned_out_at: null,
  matched: null,
  filtered: null,
  fanout_after: null,
  position: 0,
});

let last = { second: Number.NaN, text: '' };

/**
 * `2026-11-21T08:53:00+00:00`: ISO 8601 with an offset, as cohesion's section 6 shows `delivered_at`. Keeps the text of the last
 * second, because most events are of the same one.
 */
function isoWithOffset(atMs: number): string {
  const second = Math.floor(atMs / 1000);
  if (second !== last.second) last = { second, text: `${new Date(second * 1000).toISOString().slice(0, -'.000Z'.length)}+00:00` };
  return last.text;
}

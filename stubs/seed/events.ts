import { z } from 'zod';
import { cohesionEvents } from '../../gateway/api/cohesion/events.ts';
import { posEvents } from '../../gateway/api/pos/events.ts';
import { newIdAt } from '../../gateway/base/ids.ts';
import { nearestOf } from '../../gateway/base/nearest.ts';
import { moment, toInstant } from '../../gateway/http/fields.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import type { EventDefinition } from '../../gateway/webhooks/outbox/event.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { EventFixture } from './types.ts';

const catalogues: Readonly<Record<ServiceName, readonly EventDefinition[]>> = { pos: posEvents, cohesion: cohesionEvents };

/** An id of a row in fixtures, such as `sale_019a...`. */
export const rowId = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}_[0-9a-z]{1,60}$`), `must be ${prefix}_ and lower-case letters or digits`);

export function pastEvents(service: ServiceName) {
  const types = catalogues[service].map(({ type }) => type);
  return z
    .array(
      z
        .strictObject({
          id: rowId('evt').optional(),
          event: z.string().meta({ enum: types }),
          data: z.record(z.string(), z.unknown()).optional(),
          created_at: moment().optional(),
        })
        .superRefine(({ event, data }, context) => {
          const definition = definitionOf(service, event);
          if (definition === undefined) {
            const message = `"${event}" is not an event of ${service}. Did you mean ${nearestOf(event, types)}?`;
            return context.addIssue({ code: 'custom', path: ['event'], message });
          }
          const strict = definition.data instanceof z.ZodObject ? definition.data.strict() : definition.data;
          for (const issue of strict.safeParse(merged(definition, data)).error?.issues ?? [])
            context.addIssue({ code: 'custom', path: ['data', ...issue.path], message: messageOf(issue) });
        }),
    )
    .default([]);
}

const messageOf = (issue: z.core.$ZodIssue) =>
  issue.code === 'unrecognized_keys' ? `${issue.keys.join(', ')} is not a known field` : issue.message;

const definitionOf = (service: ServiceName, event: string) => catalogues[service].find(({ type }) => type === event);
const merged = ({ example }: EventDefinition, data: object | undefined) => ({ ...(example as object), ...data });

type PastEvents = z.output<ReturnType<typeof pastEvents>>;

/** Stores past events as if no endpoint had subscribed to them. */
export async function storeEvents(change: Change, service: ServiceName, events: PastEvents): Promise<void> {
  const rows: Row<'events'>[] = [];
  for (const { id, event, data, created_at: at = change.now } of events) {
    const definition = definitionOf(service, event);
    if (definition === undefined) continue;
    const whole = merged(definition, data) as { store_id?: string; structure_id?: number };
    const about = whole.store_id ?? whole.structure_id;
    const subject = about === undefined ? null : String(about);
    const row = await change.newEvent(definition, { subject, dataText: JSON.stringify(whole), now: at });
    rows.push({ ...row, id: id ?? newIdAt('evt', at), caused_by: null, fanned_out_at: at, matched: 0 });
  }
  await change.tx.append('events', rows);
}

/** Returns stored events as fixtures, oldest first. Leaves out what the catalogue does not know. */
export const eventFixtures = (service: ServiceName, rows: readonly Row<'events'>[]): EventFixture[] =>
  rows
    .filter(({ type }) => definitionOf(service, type) !== undefined)
    .map(({ id, type, body, created_at }) => ({
      id,
      event: type,
      created_at: toInstant(created_at),
      data: (JSON.parse(body) as { data: Record<string, unknown> }).data,
    }))
    .filter((one) => pastEvents(service).safeParse([one]).success);

import { boolean, integer, json, nullable, oneOf, table, text, time } from './columns.ts';

/** `done`: nothing of what it names is left, or a dry run has counted everything. */
export const erasureStatuses = ['running', 'done'] as const;
export type ErasureStatus = (typeof erasureStatuses)[number];

/** What is erased. A number is not among it: the row keeps its last two digits. */
export type ErasureTarget =
  | { by: 'number'; ends_with: string }
  | { by: 'subject'; subject: string }
  | { by: 'events'; event_ids: string[] };

/** Erasures of what the gateway keeps about a person (`erasures/`). */
export const erasureTables = {
  erasures: table({
    columns: {
      id: text,
      status: oneOf(erasureStatuses),
      /** It only counts. */
      dry_run: boolean,
      target: json<ErasureTarget>(),
      /** The encrypted number, until the erasure is done. */
      number_secret: nullable(text),
      /** The step that runs now, and the key of the last row that this step has read. */
      stage: text,
      position: nullable(json<(string | number)[]>()),
      /** When the attempts that were in flight have ended, whose records are emptied then; null before that is known. */
      settled_at: nullable(time),
      /** Rows that lost something, by table. */
      found: json<Record<string, number>>(),
      created_at: time,
      updated_at: time,
      ended_at: nullable(time),
    },
    key: ['id'],
    indexes: [{ on: ['id'], where: "status = 'running'" }],
  }),
  /** Which endpoints had got an event before it was erased. */
  erasure_receivers: table({
    columns: {
      erasure_id: text,
      endpoint_id: text,
      /** The number of deliveries that the endpoint took, and of others for which an attempt was made. */
      delivered: integer,
      attempted: integer,
    },
    key: ['erasure_id', 'endpoint_id'],
  }),
} as const;

import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, moment, named, searchText, text, toInstant } from '../../http/fields.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Owner } from '../../store/tables/webhooks.ts';
import { isPartner } from '../../webhooks/outbox/owners.ts';
import { asCsv, asJson } from '../lists/formats.ts';
import { listRoutes } from '../lists/routes.ts';
import { ownersOf } from '../partners.ts';
import { listAudit } from './queries.ts';

const tags = ['Audit'];

const entry = named('AuditEntry', {
  id: z.string(),
  at: instant(),
  operator: z
    .string()
    .nullable()
    .describe(
      "`operator:NAME`, or `operator` for the installation's own token; `account:ID` or `user:ID` for a partner in the profile; null for a failed sign-in.",
    ),
  operator_name: z.string().nullable().describe('The name of the account or user, for a partner.'),
  action: z.string().describe('The operation, such as `rotateEndpointSecret`; `openSession` for a sign-in.'),
  ok: z.boolean().describe('False for a sign-in, or a call, with a wrong credential.'),
  target: z.string().nullable().describe('The id in the path, or of the row that was created.'),
  ip: z.string(),
  call_id: z.string().describe('The recorded call.'),
  changes: z
    .array(
      z.object({
        table: z.string(),
        id: z.string(),
        did: z.enum(['created', 'changed', 'removed']),
        fields: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
      }),
    )
    .describe('The first 20 rows. Secrets are shown as `[secret]`.'),
  more: z.int().describe('The number of other rows that were changed or removed.'),
});

const filters = {
  operator: text(100).optional(),
  action: text(100).optional(),
  target: searchText(200).optional(),
  ok: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .describe('`false`: only failed sign-ins.'),
  from: moment().optional().describe('From this instant on.'),
  to: moment().optional().describe('Before this instant.'),
  q: searchText().optional().describe('Text in the target or in what changed, case-sensitive.'),
};

async function viewEntries(rows: Rows, entries: readonly Row<'audit'>[]): Promise<z.input<typeof entry>[]> {
  const partnerOf = ({ operator }: Row<'audit'>): Owner => (operator !== null && isPartner(operator) ? operator : 'operator');
  const ownerOf = await ownersOf(rows, entries.map(partnerOf));
  return entries.map((row) => ({ ...row, at: toInstant(row.at), operator_name: ownerOf(partnerOf(row)).name }));
}

/** What operators did. Nobody can change it; it is removed after a year. */
export function auditRoutes(app: App, { store }: Services): void {
  listRoutes(app, {
    url: '/audit',
    name: 'Audit',
    rows: 'entries',
    tags,
    summary: 'The audit trail: who did what, and when; newest first',
    description:
      'Each change through this API has one entry, stored in the transaction of the change, also if it reveals a secret. Sign-ins, failed ones too, and exports have one as well.',
    ids: 'aud',
    filters,
    wanted: (query) => query,
    read: (wanted) => listAudit(store, wanted),
    at: ({ at }) => at,
    row: entry,
    view: (entries) => viewEntries(store, entries),
  }).exportAs({ block: blockRows, lines: (entries) => viewEntries(store, entries), formats });
}

/** Maximum entries in a block of an export. */
const blockRows = 500;

type Entry = z.input<typeof entry>;

const columns = ['at', 'operator', 'operator_name', 'action', 'ok', 'target', 'ip', 'call_id', 'changes', 'more', 'id'] as const;

const formats = { csv: asCsv<Entry>(columns.map((column) => [column, (row) => row[column]])), json: asJson<Entry>() };

import { Readable } from 'node:stream';
import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, moment, searchText, text, toInstant } from '../../http/fields.ts';
import { pageQuery, searchedPageOf } from '../../http/page.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { type AuditFilter, listAudit } from './queries.ts';

const tags = ['Audit'];

const entry = z
  .object({
    id: z.string(),
    at: instant(),
    operator: z
      .string()
      .nullable()
      .describe("`operator:NAME`, or `operator` for the installation's own token; null for a failed sign-in."),
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
    more: z.number().int().describe('The number of other rows that were changed or removed.'),
  })
  .meta({ id: 'AuditEntry' });

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

const view = (row: Row<'audit'>): z.input<typeof entry> => ({ ...row, at: toInstant(row.at) });

/** What operators did. Nobody can change it; it is removed after AUDIT_RETENTION_HOURS. */
export function auditRoutes(app: App, { store }: Services): void {
  app.route({
    method: 'GET',
    url: '/audit',
    schema: {
      operationId: 'listAudit',
      tags,
      summary: 'The audit trail: who did what, and when; newest first',
      description:
        'Each change through this API has one entry, stored in the transaction of the change, also if it reveals a secret. Sign-ins, failed ones too, and exports have one as well.',
      querystring: z.strictObject({ ...pageQuery, ...filters }),
      response: { 200: searchedPageOf(entry) },
    },
    handler: async ({ query }) => {
      const { data, next, stopped } = await listAudit(store, query);
      return { data: data.map(view), next, searched_to: stopped && toInstant(stopped.at) };
    },
  });
  app.route({
    method: 'GET',
    url: '/audit/export',
    schema: {
      operationId: 'exportAudit',
      tags,
      summary: 'The matching entries of the audit trail as CSV or JSON, streamed',
      querystring: z.strictObject({ ...filters, format: z.enum(['csv', 'json']).default('csv') }),
      response: { 200: z.string().describe('CSV (RFC 4180) with a header, or a JSON array of the entries.') },
    },
    handler: async ({ query: { format, ...filter } }, reply) => {
      // The first block is read at once: if the store is down, the call is refused.
      const first = await listAudit(store, { ...filter, limit: blockRows });
      const { type, write } = formats[format];
      return reply
        .type(`${type}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="audit.${format}"`)
        .send(Readable.from(write(blocks(store, filter, first))) as never);
    },
  });
}

const blockRows = 500;

async function* blocks(rows: Rows, filter: Omit<AuditFilter, 'limit'>, first: Awaited<ReturnType<typeof listAudit>>) {
  let { data, next } = first;
  yield data;
  while (next !== null) {
    ({ data, next } = await listAudit(rows, { ...filter, cursor: next, limit: blockRows }));
    yield data;
  }
}

type Blocks = AsyncIterable<Row<'audit'>[]>;

const formats = { csv: { type: 'text/csv', write: csvOf }, json: { type: 'application/json', write: jsonOf } };

const columns = ['at', 'operator', 'action', 'ok', 'target', 'ip', 'call_id', 'changes', 'more', 'id'] as const;

async function* csvOf(given: Blocks): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`;
  for await (const block of given)
    yield block.map((row) => `${columns.map((column) => cell(view(row)[column])).join(',')}\r\n`).join('');
}

/** A spreadsheet runs a cell that begins with one of these as a formula. An apostrophe makes it text. */
const formula = /^[=+\-@\t\r]/;

function cell(value: unknown): string {
  const given = value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = formula.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

async function* jsonOf(given: Blocks): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const block of given)
    for (const row of block) {
      yield separator + JSON.stringify(view(row));
      separator = ',\n';
    }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

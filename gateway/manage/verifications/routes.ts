import { z } from 'zod';
import { notFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { storable } from '../../base/text.ts';
import type { App, Services } from '../../http/api.ts';
import { instant, text, withInstants } from '../../http/fields.ts';
import { pageOf, pagesOf, readPage } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Row } from '../../store/tables/index.ts';
import type { Change } from '../../webhooks/outbox/change.ts';
import { verificationReport } from './report.ts';

const tags = ['Contracts'];
const keptAtMost = 50;
const bodyLimit = 2 * 1024 * 1024;

const verification = z.object({
  id: z.string(),
  created_at: instant().describe('Time of publication.'),
  ok: z.boolean().describe('True if no interaction failed.'),
  interactions: z.int(),
  failed: z.int(),
  providers: z.array(z.string()),
});

const viewVerification = (row: Row<'verifications'>): z.input<typeof verification> => withInstants(row, 'created_at');

export function verificationRoutes(app: App, services: Services): void {
  const route = routesOf(app, tags);
  const { change, store } = services;
  route('POST /verifications', {
    operationId: 'publishVerification',
    summary: 'Publish the report of a pact verification',
    description: `The report that \`passerelle verify --json\` writes and \`--publish-to\` sends. The newest ${keptAtMost} are kept.`,
    body: verificationReport,
    created: verification,
    bodyLimit,
    handler: async ({ body }) => viewVerification(await change((one) => keepVerification(one, body))),
  });
  route('GET /verifications', {
    operationId: 'listVerifications',
    summary: 'Published verifications, newest first',
    querystring: z.strictObject(pagesOf('ver')),
    reply: pageOf(verification),
    handler: async ({ query }) => readPage(store, 'verifications', query, viewVerification),
  });

  route('GET /verifications/:id', {
    operationId: 'readVerification',
    summary: 'One verification with its whole report',
    params: z.object({ id: text(100) }),
    data: verification.extend({ report: verificationReport }),
    handler: async ({ params: { id } }) => {
      const [row, whole] = await Promise.all([store.get('verifications', { id }), store.get('verification_reports', { id })]);
      if (!row || !whole) throw notFound('id', `There is no verification ${id}. The newest ${keptAtMost} are kept.`);
      return { ...viewVerification(row), report: whole.report as z.output<typeof verificationReport> };
    },
  });
}

type Report = z.output<typeof verificationReport>;

/** Stores a report and removes all but the newest ones. */
async function keepVerification({ tx, now }: Change, report: Report): Promise<Row<'verifications'>> {
  const interactions = report.verifications.flatMap((one) => one.interactions);
  const failed = interactions.filter(({ outcome }) => outcome === 'failed').length;
  const row: Row<'verifications'> = {
    id: newId('ver'),
    created_at: now,
    ok: failed === 0,
    interactions: interactions.length,
    failed,
    providers: [...new Set(report.verifications.map(({ provider }) => provider))],
  };
  await tx.append('verifications', [row]);
  await tx.append('verification_reports', [{ id: row.id, report: storableValue(report) }]);
  const [newestTooMany] = await tx.list('verifications', { order: [['id', 'desc']], limit: 1, offset: keptAtMost });
  if (newestTooMany) {
    const old = { id: { lte: newestTooMany.id } };
    await tx.remove('verification_reports', old);
    await tx.remove('verifications', old);
  }
  return row;
}

/** Replaces text that the store cannot hold. The recursion is bounded, because the report's schema limits the depth. */
function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableValue);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [storable(name), storableValue(one)]));
}

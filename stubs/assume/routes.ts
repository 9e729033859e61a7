import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { viewGap } from '../../contracts/register/gap.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import { didYouMean } from '../../gateway/base/nearest.ts';
import type { StubOperations } from '../types.ts';
import { assumedOf } from './chosen.ts';

const assumed = z.union(
  [z.string(), z.record(z.string(), z.string())],
  'must be an object such as {"pos.sale-status": "200"}, or a text such as "pos.sale-status=200,harmless.gzip"',
);

/** The routes of `/_stub` by which the alternatives of a running stub are read and changed. */
export function assumeRoutes(app: FastifyInstance, { api, assumptions }: StubOperations): void {
  const list = () => ({ data: assumptions.list() });
  app.get('/gaps', async () => ({ data: (await import('./live.ts')).entriesOf(api).map(viewGap) }));
  app.get('/assume', async () => list());
  app.post('/assume', async ({ body }) => {
    await assumptions.add(assumedOf(assumed.parse(body)));
    return list();
  });
  app.put('/assume', async ({ body }) => {
    await assumptions.replace(assumedOf(assumed.parse(body)));
    return list();
  });
  app.delete('/assume', async () => {
    await assumptions.clear();
    return list();
  });
  app.delete<{ Params: { gap: string } }>('/assume/:gap', async ({ params: { gap } }) => {
    if (await assumptions.remove(gap)) return list();
    const active = assumptions.list().map((one) => one.gap);
    const these = active.length > 0 ? `These have one: ${active.join(', ')}.` : 'No gap has one.';
    const { entriesOf } = await import('./live.ts');
    const known = ['harmless', ...entriesOf(api).map(({ id }) => id)];
    const problem = known.includes(gap)
      ? `${gap} has no active alternative. ${these}`
      : `"${gap}" is neither a gap of ${api} nor a harmless change. ${didYouMean(gap, known)}`.trimEnd();
    throw new Refusal('not_found', 'not_found', problem);
  });
}

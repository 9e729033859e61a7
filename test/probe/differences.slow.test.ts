import { expect, test } from 'vitest';
import { adviceFor } from '../../contracts/tools/probe/advice.ts';
import { type ProbeRun, probe } from '../../index.ts';
import { call } from '../stubs/partner.ts';

const read = ({ env, urls }: ProbeRun, path: string) =>
  call({ url: urls.cohesion ?? '' }, 'GET', `/api/v1/${path}`, { token: env.PASSERELLE_COHESION_TOKEN ?? '' });

/** Two tests: only the second one depends on the exact type of a reply. */
async function dashboard(context: ProbeRun): Promise<string[]> {
  const interventions = await read(context, 'interventions');
  const { headers } = await read(context, 'indicateurs');
  const isExact = headers.get('content-type') === 'application/json; charset=utf-8';
  return [...(interventions.status === 200 ? [] : ['lists interventions']), ...(isExact ? [] : ['reads indicators as JSON'])];
}

test('every operation that answered otherwise is named, since the failing test may call any of them', async () => {
  const only = ['cohesion.reply-charset=none'];
  const { dependencies, text } = await probe({ apis: 'cohesion', only, assumptions: false, run: dashboard });
  const [{ differences = [], advice = '' } = {}] = dependencies[0]?.alternatives ?? [];
  expect(differences.map(({ where }) => where)).toEqual(['GET /interventions', 'GET /indicateurs']);
  expect(differences.every(({ before, after }) => before?.status === 200 && after?.status === 200)).toBe(true);
  expect(text).toMatch(/differs: GET \/interventions\n[\s\S]*GET \/indicateurs\n/);
  expect(advice).toMatch(/other media types than application\/json/);
});

test('rows of a list are compared with each other', () => {
  const reply = (count: number) => ({ status: 200, headers: {}, body: { data: [{ id: 1, count }] } });
  expect(adviceFor({ where: 'GET /indicateurs', before: reply(3), after: reply(4) })).toBe(
    'Do not compare `data[].count` with an exact number: the service may count it otherwise, or in another unit.',
  );
});

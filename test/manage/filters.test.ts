import { expect, test } from 'vitest';
import { buildTestApp, type TestGateway } from '../helper.ts';
import { storeDeliveries } from '../webhooks/rows.ts';

const idsOf = async (app: TestGateway, path: string): Promise<string[]> => {
  const reply = await app.manage('GET', path);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.body).toMatchObject({ next: null, searched_to: null });
  return reply.body.data.map(({ id }: { id: string }) => id);
};

test('events are found by text, as it is or as JSON writes it, and by subject', async () => {
  const app = await buildTestApp({ demo: false });
  const words = ['plain', 'he said "no"', 'Été'];
  const at = Date.UTC(2026, 10, 20);
  const made = await storeDeliveries(app.store, 3, { endpoint_id: 'ep_1', created_at: at }, (number) =>
    JSON.stringify({ data: { word: words[number] } }),
  );
  const [plain, quoted, accented] = made.map(({ event_id }) => event_id);
  await app.store.update('events', { id: plain as string }, { subject: 'store_1' });
  expect(await idsOf(app, `/events?q=${encodeURIComponent('"no"')}`)).toEqual([quoted]);
  expect(await idsOf(app, `/events?q=${encodeURIComponent('Été')}&type=sale.completed`)).toEqual([accented]);
  expect(await idsOf(app, '/events?q=PLAIN')).toEqual([]);
  expect(await idsOf(app, '/events?subject=store_1&service=pos')).toEqual([plain]);
  expect(await idsOf(app, '/events?subject=store_1&q=no')).toEqual([]);
});

test('endpoints are found by state and by text in the URL or the description', async () => {
  const app = await buildTestApp({ demo: false });
  const create = async (name: string, more = {}) => {
    const body = { service: 'pos', url: `https://example.com/${name}`, description: `Till of ${name}`, ...more };
    return (await app.manage('POST', '/endpoints', body)).body.data.id as string;
  };
  const ok = await create('Abidjan');
  const held = await create('bouake');
  const probing = await create('Daloa', { service: 'cohesion' });
  const disabled = await create('korhogo', { active: false });
  const deleted = await create('man');
  await app.manage('DELETE', `/endpoints/${deleted}`);
  await app.store.update('endpoints', { id: held }, { held_until: Date.now() + 60_000, held_because: 'failing' });
  await app.store.update('endpoints', { id: probing }, { held_until: 1, held_because: 'failing' });

  expect(await idsOf(app, '/endpoints')).toEqual([disabled, probing, held, ok]);
  expect(await idsOf(app, '/endpoints?state=ok')).toEqual([ok]);
  expect(await idsOf(app, '/endpoints?state=held')).toEqual([probing, held]);
  expect(await idsOf(app, '/endpoints?state=held&service=pos')).toEqual([held]);
  expect(await idsOf(app, '/endpoints?state=disabled')).toEqual([disabled]);
  expect(await idsOf(app, '/endpoints?q=BOUAKE')).toEqual([held]);
  expect(await idsOf(app, '/endpoints?q=till%20of%20daloa')).toEqual([probing]);
  expect(await idsOf(app, '/endpoints?q=till&state=disabled')).toEqual([disabled]);
  expect(await idsOf(app, `/endpoints?ids=${ok},${deleted},${disabled},ep_unknown`)).toEqual([disabled, ok]);
  expect(await idsOf(app, `/endpoints?ids=${ok},${held},${disabled}&q=till&service=pos&state=ok`)).toEqual([ok]);
  const page = (await app.manage('GET', `/endpoints?ids=${ok},${held},${disabled}&limit=2`)).body;
  expect([page.data.map(({ id }: { id: string }) => id), page.next]).toEqual([[disabled, held], held]);
  expect(await idsOf(app, `/endpoints?ids=${ok},${held},${disabled}&limit=2&cursor=${page.next}`)).toEqual([ok]);
  expect((await app.manage('GET', '/endpoints?state=well')).status).toBe(400);
  expect((await app.manage('GET', '/endpoints?ids=,')).status).toBe(400);
});

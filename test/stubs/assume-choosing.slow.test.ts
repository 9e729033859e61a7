import { expect, test } from 'vitest';
import { serviceNames } from '../../spec/documents/services.ts';
import type { viewGap } from '../../spec/gaps/gap.ts';
import { entriesOf } from '../../stubs/assume/live.ts';
import type { Assumed } from '../../stubs/types.ts';
import { call, openStub } from './partner.ts';
import { playable } from './playable.ts';

test.each<[assume: Assumed | string, message: RegExp]>([
  [{ 'pos.sale-statuss': '200' }, /"pos\.sale-statuss" is neither a gap of pos nor .*\. Did you mean pos\.sale-status\?/],
  [{ 'pos.payment-status': '203' }, /no alternative "203"\. Did you mean 200 or 202\? It has 200 \(200\.\), 202 \(/],
  [{ 'cohesion.list-order': 'by-name' }, /cohesion\.list-order is a gap of cohesion, and this stub serves pos/],
  [{ 'pos.back-office': 'in-this-api' }, /does not play pos\.back-office=in-this-api\. \S/],
  [{ 'pos.sale-total': 'trusted' }, /does not play pos\.sale-total=trusted\. It changes what is stored, and a stub changes only/],
  ['pos.token-guard=none', /does not play pos\.token-guard=none\. It changes how calls are counted/],
  ['pos.event-order=twice', /does not play pos\.event-order=twice\. The harmless change harmless\.duplicate-webhooks does/],
  ['harmless.longer-ids', /a stub of pos does not play harmless\.longer-ids=on\. Ids are stored/],
  [
    'pos.sale-response=reference-only,pos.payment-reference=sale-id',
    /reference-only contradicts pos.*: a client would never learn/,
  ],
  ['pos.payment-status=200,pos.payment-status=202', /pos\.payment-status is given twice, as 200 and as 202/],
  ['pos.sale-status', /"pos\.sale-status" is not GAP=ALTERNATIVE/],
  ['harmless.gzipp', /"harmless\.gzipp" is neither .* nor a harmless change\. Did you mean harmless\.gzip\?/],
  ['harmles.gzip=on', /neither a gap of pos nor .*\. Did you mean harmless\.gzip\?/],
  [{ 'harmless.gzip': 'off' }, /harmless\.gzip has no alternative "off"\. It has on \(It is, by gzip/],
  ['harmless=some', /harmless has no alternative "some"\. harmless=all makes all/],
  ['harmless', /"harmless" is not GAP=ALTERNATIVE.*harmless\.gzip or harmless=all/],
  ['harmless.shorter-pages', /a stub of pos does not play harmless\.shorter-pages=on\. No list/],
])('%j is refused', async (assume, message) => {
  await expect(openStub('pos', { assume })).rejects.toThrow(message);
});

const harmless = playable('pos').filter((one) => one.startsWith('harmless.'));

test('the control API lists, adds, replaces and removes alternatives; a refused change changes nothing', async () => {
  const stub = await openStub('pos');
  for (const [method, path, body, active] of [
    ['POST', '', { 'pos.sale-status': '200' }, ['pos.sale-status=200']],
    ['POST', '', { 'pos.payment-status': '202' }, ['pos.sale-status=200', 'pos.payment-status=202']],
    ['POST', '', { 'pos.payment-status': '200' }, ['pos.sale-status=200', 'pos.payment-status=200']],
    ['POST', '', { 'pos.sale-status': '204', 'pos.success-envelope': 'bare' }, /no alternative "204"/],
    ['DELETE', '/pos.sale-status', undefined, ['pos.payment-status=200']],
    ['PUT', '', { 'pos.success-envelope': 'bare' }, ['pos.success-envelope=bare']],
    ['PUT', '', 'harmless.gzip, pos.sale-status=200', ['pos.sale-status=200', 'harmless.gzip=on']],
    ['POST', '', 'pos.sale-statuss=200', /Did you mean pos\.sale-status\?/],
    ['POST', '', 7, /or a text such as/],
    ['GET', '', undefined, ['pos.sale-status=200', 'harmless.gzip=on']],
    ['PUT', '', 'harmless=all,pos.sale-status=200', ['pos.sale-status=200', ...harmless]],
    ['DELETE', '/harmless.gzip', undefined, ['pos.sale-status=200', ...harmless.filter((one) => one !== 'harmless.gzip=on')]],
    ['DELETE', '/harmless', undefined, ['pos.sale-status=200']],
    ['DELETE', '', undefined, []],
    ['GET', '', undefined, []],
  ] as const) {
    const reply = await call(stub, method, `/_stub/assume${path}`, { body });
    if (active instanceof RegExp) {
      expect(reply).toMatchObject({ status: 400, body: { error: { message: expect.stringMatching(active) } } });
      continue;
    }
    const { data } = reply.body as { data: { gap: string; alternative: string }[] };
    expect(data.map(({ gap, alternative }) => `${gap}=${alternative}`)).toEqual(active);
    expect((await call(stub, 'GET', '/_stub')).body.data.assumptions).toEqual(data);
  }
});

test.each(serviceNames)(
  'the control API lists the register of %s and the harmless changes, and plays what it says is played',
  async (api) => {
    const stub = await openStub(api);
    const { data } = (await call(stub, 'GET', '/_stub/gaps')).body as { data: ReturnType<typeof viewGap>[] };
    expect(data.map(({ id }) => id)).toEqual(entriesOf(api).map(({ id }) => id));
    expect(data.some(({ id }) => id === 'harmless.gzip')).toBe(true);
    const named = data.flatMap(({ id, named_alternatives: all }) => all.map((one) => ({ ...one, name: `${id}=${one.id}` })));
    expect(named.filter(({ played }) => played).map(({ name }) => name)).toEqual(playable(api));
    for (const { played, not_played_because: reason } of named) expect(reason === undefined).toBe(played);
  },
);

test.each([
  ['pos.sale-statuss', /"pos\.sale-statuss" is neither a gap of pos nor a harmless change\. Did you mean pos\.sale-status\?$/],
  ['harmless.gzipp', /"harmless\.gzipp" is neither .*Did you mean harmless\.gzip\?$/],
  ['cohesion.error-body', /nor a harmless change/],
  ['pos.sale-status', /^pos\.sale-status has no active alternative\. These have one: pos\.error-body\.$/],
  ['harmless', /^harmless has no active alternative\. These have one/],
])('%s cannot be removed, which the control API and the library say', async (gap, message) => {
  const stub = await openStub('pos', { assume: 'pos.error-body=problem-details' });
  const refused = await call(stub, 'DELETE', `/_stub/assume/${gap}`);
  expect(refused).toMatchObject({ status: 404, body: { error: { message: expect.stringMatching(message) } } });
  const removed = stub.assumptions.remove(gap);
  // An entry without an active alternative is no mistake in a program.
  if (refused.body.error.message.includes('has no active')) expect(await removed).toBe(false);
  else await expect(removed).rejects.toThrow(message);
  expect(stub.assumptions.list()).toHaveLength(1);
});

test.each([
  ['a number', { 'pos.sale-status': 200 }, 'pos.sale-status', 'must be text: "200", not 200'],
  ['true', { 'pos.sale-status': '200', 'harmless.gzip': true }, 'harmless.gzip', 'must be text: "on", not true'],
  ['a list', { 'pos.sale-status': ['200'] }, 'pos.sale-status', 'must be the id of an alternative as text, not a list'],
])('an alternative that is not text is refused with its place: %s', async (_, body, field, message) => {
  const stub = await openStub('pos');
  for (const method of ['POST', 'PUT']) {
    const refused = await call(stub, method, '/_stub/assume', { body });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field, message }] } } });
  }
  expect(stub.assumptions.list()).toEqual([]);
});

test('of changes at once none is lost', async () => {
  const { assumptions } = await openStub('pos');
  const added = { 'pos.error-body': 'error-text', 'pos.payment-status': '202', 'pos.sale-status': '200' };
  await Promise.all(Object.entries(added).map(([gap, id]) => assumptions.add({ [gap]: id })));
  const gaps = () => assumptions.list().map(({ gap }) => gap);
  expect(gaps().toSorted()).toEqual(Object.keys(added));
  const removed = [assumptions.remove('pos.sale-status'), assumptions.remove('pos.error-body')];
  expect(await Promise.all(removed)).toEqual([true, true]);
  expect(gaps()).toEqual(['pos.payment-status']);
});

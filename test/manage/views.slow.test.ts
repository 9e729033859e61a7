import { expect, test } from 'vitest';
import { buildTestApp } from '../helper.ts';

const gateway = () => buildTestApp({ demo: false });
const dead = { list: 'deliveries', name: 'Dead letters 🚨', filters: { status: 'failed', since: '7d', partner: 'adjamé' } };

test('a filtered list is saved under a name, found in its list, renamed, changed and deleted', async () => {
  const { manage } = await gateway();
  const { data: made } = (await manage('POST', '/views', dead)).body;
  expect(made).toMatchObject({ ...dead, id: expect.stringMatching(/^view_/), created_by: 'operator', unknown_filters: [] });
  await manage('POST', '/views', { list: 'calls', name: 'Refused', filters: { status: '429', to: '2026-01-01T00:00:00Z' } });
  expect((await manage('GET', '/views?list=deliveries')).body.data).toEqual([made]);
  expect((await manage('GET', '/views')).body.data).toHaveLength(2);
  const path = `/views/${made.id}`;
  await manage('PATCH', path, { name: 'This week' });
  await manage('PATCH', path, { filters: { status: 'failed' } });
  expect((await manage('GET', path)).body.data).toMatchObject({ name: 'This week', filters: { status: 'failed' } });
  expect((await manage('DELETE', path)).body.data.id).toBe(made.id);
  expect((await manage('GET', path)).status).toBe(404);
  expect((await manage('DELETE', path)).status).toBe(404);
});

test('a name is unique in its list', async () => {
  const { manage } = await gateway();
  const { data: first } = (await manage('POST', '/views', dead)).body;
  expect((await manage('POST', '/views', dead)).body.error.code).toBe('already_exists');
  const { data: second } = (await manage('POST', '/views', { ...dead, name: 'Other' })).body;
  expect((await manage('PATCH', `/views/${second.id}`, { name: first.name })).status).toBe(409);
  const { status, body } = await manage('POST', '/views', { ...dead, name: dead.name.toUpperCase() });
  expect([status, body.error.message]).toEqual([409, expect.stringContaining(dead.name)]);
  expect((await manage('PATCH', `/views/${second.id}`, { name: 'OTHER' })).body.data.name).toBe('OTHER');
  expect((await manage('POST', '/views', { ...dead, list: 'events', filters: {} })).status).toBe(201);
});

test.each([
  [{ name: 'a\u202eb' }, 'U+'],
  [{ name: 'a\u200bb' }, 'U+'],
  [{ name: '  ' }, 'blank'],
  [{ name: 'x'.repeat(61) }, 'at most 60'],
  [{ filters: { statu: 'failed' } }, 'no filter "statu"; the nearest is status'],
  [{ filters: { status: '' } }, 'empty'],
  [{ filters: { status: 'fail' } }, 'filters.status'],
  [{ filters: { from: 'hier' } }, 'filters.from'],
  [{ filters: { since: '2d' } }, 'filters.since'],
  [{ filters: { response_status: '99' } }, 'filters.response_status: must be 100 or more'],
  [{ filters: { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } }, 'filters.to: must be after "from"'],
  [{ list: 'calls', filters: { to: 'x' } }, 'filters.to'],
  [{ list: 'endpoints', filters: { state: 'well' } }, 'filters.state'],
  [{ list: 'operators' }, 'must be one of deliveries'],
])('%j is refused: %s', async (change, message) => {
  const { manage } = await gateway();
  const { status, body } = await manage('POST', '/views', { ...dead, ...change });
  expect(status).toBe(400);
  expect(body.error.message).toContain(message);
});

test.each(['status', 'from', 'reason', 'event_type', 'partner', 'q', 'waits_for', 'response_status', 'endpoint_id'])(
  'a list accepts each view of %s that was saved',
  async (name) => {
    const { manage } = await gateway();
    for (const value of ['failed', 'x', '404', 'time', '2026-01-01T00:00:00Z', '2026-01-01', 'status', 'Été', '-1', ' ']) {
      const saved = await manage('POST', '/views', { list: 'deliveries', name: `v ${value}`, filters: { [name]: value } });
      const listed = await manage('GET', `/deliveries?${new URLSearchParams({ [name]: value })}`);
      expect(saved.status === 201, `${name}=${value}`).toBe(listed.status === 200 && value !== ' ');
    }
  },
);

test('a view whose filter no longer exists says so', async () => {
  const { manage, store } = await gateway();
  const { data } = (await manage('POST', '/views', dead)).body;
  await store.update('views', { id: data.id }, { filters: { status: 'failed', colour: 'red' } });
  expect((await manage('GET', '/views')).body.data[0].unknown_filters).toEqual(['colour']);
});

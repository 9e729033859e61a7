import { expect, test } from 'vitest';
import { entriesOf, type Story } from '../../../gateway/console/page/pages/story/entries.ts';

const at = (ms: number) => new Date(Date.UTC(2026, 10, 21) + ms).toISOString();

test('a story is in the order of time; the chain decides within a millisecond, and a call that is gone stands before its event', () => {
  const story = {
    calls: [{ id: 'call_2', at: at(50) }],
    calls_gone: ['call_1'],
    events: [
      { id: 'evt_1', created_at: at(10), caused_by: 'call_1' },
      { id: 'evt_2', created_at: at(50), caused_by: 'call_2' },
    ],
    deliveries: [
      { id: 'dlv_1', event_id: 'evt_1', endpoint_id: 'ep_1', created_at: at(10) },
      { id: 'dlv_2', event_id: 'evt_2', endpoint_id: 'ep_gone', created_at: at(50) },
    ],
    attempts: [{ id: 'att_1', delivery_id: 'dlv_1', started_at: at(30) }],
    endpoints: [{ id: 'ep_1', url: 'https://example.com/', owner: { id: 'user:6', kind: 'user', name: 'Awa' } }],
    cut: false,
  } as unknown as Story;
  expect(entriesOf(story).map(({ id }) => id)).toEqual(['call_1', 'evt_1', 'dlv_1', 'att_1', 'call_2', 'evt_2', 'dlv_2']);
  expect(entriesOf(story).flatMap((one) => ('url' in one ? [one.url] : []))).toEqual([
    'https://example.com/',
    'https://example.com/',
    'ep_gone',
  ]);
  expect(entriesOf(story).flatMap((one) => ('owner' in one ? [one.owner?.name] : []))).toEqual(['Awa', undefined]);
});

import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Cause } from '../../../gateway/console/page/lib/why.ts';
import { fieldsOf } from '../../../gateway/console/page/pages/events/schema-fields.ts';
import {
  parseHeaders,
  receivedHeaders,
  signatureHeaderName,
} from '../../../gateway/console/page/parts/delivery/pasted-headers.ts';
import { connectionOf, phasesOf } from '../../../gateway/console/page/parts/delivery/phases.ts';
import { text } from '../../../gateway/console/page/texts/index.ts';
import { setSharedTexts } from '../../../gateway/console/page/texts/shared.ts';
import { noValues } from '../../../gateway/figures/cause.ts';
import { forAll } from '../../for-all.ts';
import { stopClock } from '../../stopped-clock.ts';

setSharedTexts(text);
const { soFar } = await import('../../../gateway/console/page/parts/delivery/result.tsx');
const { nextAttemptAt, waitBefore } = await import('../../../gateway/console/page/parts/delivery/delivery.ts');
const { NextTry } = await import('../../../gateway/console/page/parts/time.tsx');

test('what is late is due, and is not tried in the past', () => {
  const now = stopClock();
  const said = (inMs: number) => renderToStaticMarkup(createElement(NextTry, { at: new Date(now + inMs).toISOString() }));
  expect(said(-21_000)).toBe('due');
  expect(said(1_815_000)).toMatch(/^next try <time .*>in 30 min\.<\/time>$/);
});

test('a delivery that waits for its endpoint says why in lists, whatever its own last attempt was', () => {
  const said = (waits_for: 'time' | 'turn', of: Partial<Cause['values']> | null, reason: string | null = null) =>
    soFar({
      reason,
      response_status: null,
      next_attempt_at: null,
      waits_for,
      cause: { case: of ? 'held' : 'in_turn', values: { ...noValues, ...of } },
    });
  expect(said('turn', { failure: 500 })).toBe('held · answered 500');
  expect(said('turn', { failure: 'timeout' }, 'connect')).toBe('held · timeout');
  expect(said('turn', { failure: null })).toBe('held');
  expect(said('time', { failure: 'timeout' }, 'connect')).toBe('No connection');
  expect(said('turn', null)).toBeNull();
});

test('the wait before an attempt says how long it was late', () => {
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const made = (started: number, next: number | null = null) =>
    ({ started_at: at(started), ended_at: at(started), next_attempt_at: next && at(next), manual: false }) as never;
  const why = (started: number, before?: unknown) =>
    waitBefore(made(started), before as never, { created_at: at(0), event: null }).why;
  const before = made(1, 6);
  expect(why(76, before)).toBe('1 min 10 s of it after it was due.');
  expect(why(76)).toBe('It was due at once.');
  expect(why(6, before)).toBeNull();
  expect(why(4, before)).toBe('The endpoint worked again, so it was sent before its retry was due.');
});

test('what waits for its endpoint says until when, if that is known', () => {
  const next = (waits_for: 'time' | 'turn', next_at: string | null) =>
    nextAttemptAt({ waits_for, next_attempt_at: '1', cause: { case: 'retry', values: { ...noValues, next_at } } });
  expect([next('time', null), next('turn', '2'), next('turn', null)]).toEqual(['1', '2', null]);
});

const attempt = (timings: Record<string, number>, outcome = 'success', address: string | null = '192.0.2.1') => ({
  outcome,
  address,
  timings,
});

test('a new connection has the phases dns, connect, tls, wait and body in order', () => {
  expect(phasesOf(attempt({ dns: 2, connect: 3, tls: 10, first_byte: 40, total: 42 }))).toEqual([
    { name: 'dns', startMs: 0, ms: 2 },
    { name: 'connect', startMs: 2, ms: 3 },
    { name: 'tls', startMs: 5, ms: 10 },
    { name: 'wait', startMs: 15, ms: 25 },
    { name: 'body', startMs: 40, ms: 2 },
  ]);
});

test('for any timings, the phases follow one another and add up to the total', () => {
  const ms = fc.double({ min: 0, max: 60_000, noNaN: true });
  const timings = fc.record({ dns: ms, connect: ms, tls: ms, first_byte: ms, total: ms }, { requiredKeys: ['total'] });
  forAll(100, [timings], (given) => {
    const phases = phasesOf(attempt(given));
    let atMs = 0;
    for (const { startMs, ms: length } of phases) {
      expect(startMs).toBeCloseTo(atMs, 6);
      expect(length).toBeGreaterThan(0);
      atMs = startMs + length;
    }
    expect(atMs).toBeCloseTo(given.total, 6);
  });
});

test('an attempt without connect timings used an open connection, or had none', () => {
  expect(connectionOf(attempt({ connect: 1, total: 3 }))).toBe('new');
  expect(connectionOf(attempt({ first_byte: 2, total: 3 }))).toBe('reused');
  expect(connectionOf(attempt({ total: 3 }, 'timeout', null))).toBe('none');
  expect(phasesOf(attempt({ total: 3 }, 'connect'))).toEqual([{ name: 'open', startMs: 0, ms: 3 }]);
  expect(phasesOf(attempt({}, 'secret_unreadable', null))).toEqual([]);
});

test('pasted headers are parsed by line, and a bare signature is recognised by its format', () => {
  const sent = { 'X-SERVICE-Signature': 'sha256=1', 'webhook-signature': 'v1,a', 'webhook-id': 'evt_1' };
  const name = signatureHeaderName(sent);
  expect(name).toBe('x-service-signature');
  expect(parseHeaders('sha256=2', name)).toEqual({ 'x-service-signature': 'sha256=2' });
  expect(parseHeaders(' v1,b v1,c \r\nWebhook-Id:  evt_2\n\n', name)).toEqual({
    'webhook-signature': 'v1,b v1,c',
    'webhook-id': 'evt_2',
  });
  expect(receivedHeaders(sent, { 'webhook-id': 'evt_2' })).toEqual({
    'x-service-signature': 'sha256=1',
    'webhook-signature': 'v1,a',
    'webhook-id': 'evt_2',
  });
});

test('a schema is listed field by field, each object followed by its own fields', () => {
  const item = { type: 'object', properties: { price: { type: 'number', description: 'Each.' } }, required: ['price'] };
  const schema = {
    type: 'object',
    properties: {
      phone: { type: ['string', 'null'] },
      at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      state: { type: 'string', enum: ['a', 'b'] },
      items: { type: 'array', items: item },
    },
    required: ['items', 'state', 'at'],
  };
  expect(fieldsOf(schema).map(({ path, depth, type, optional }) => [path, depth, type, optional])).toEqual([
    ['phone', 0, 'string or null', true],
    ['at', 0, 'time or null', false],
    ['state', 0, '"a" or "b"', false],
    ['items', 0, 'list of object', false],
    ['items[].price', 1, 'number', false],
  ]);
});

test('listing fields throws for no schema', () => {
  fc.assert(fc.property(fc.anything(), (schema) => Array.isArray(fieldsOf(schema))));
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FaultError } from '../../stubs/faults/errors.ts';
import { longestDelayMs } from '../../stubs/faults/kinds.ts';
import { parseRule, ruleText } from '../../stubs/faults/rule-text.ts';
import type { FaultRule } from '../../stubs/faults/types.ts';
import { forAll } from '../for-all.ts';

describe('the text of a rule', () => {
  test.each<[string, FaultRule]>([
    ['createSale:status=503,times=2', { operation: 'createSale', fault: { kind: 'status', status: 503 }, times: 2 }],
    ['*:delay=200ms..2s', { fault: { kind: 'delay', fromMs: 200, toMs: 2000 } }],
    ['readInventory:reset,probability=0.1', { operation: 'readInventory', fault: { kind: 'reset' }, probability: 0.1 }],
    ['POST /a:b/{id}:slow=3s,pieces=4', { method: 'POST', path: '/a:b/{id}', fault: { kind: 'slow', overMs: 3000, pieces: 4 } }],
    ['*:delay,median=300ms,sigma=0.5,stage=reply', { fault: { kind: 'delay', medianMs: 300, sigma: 0.5, stage: 'reply' } }],
    ['*:hang=30s,stage=reply', { fault: { kind: 'hang', ms: 30_000, stage: 'reply' } }],
    ['createSale:down,for=90s', { operation: 'createSale', fault: { kind: 'down' }, forMs: 90_000 }],
    [
      'sale.completed:lost,times=1,body.data.total=9000',
      { operation: 'sale.completed', fault: { kind: 'lost' }, times: 1, when: { body: { 'data.total': '9000' } } },
    ],
    ['*:bandwidth=1000,after=2', { fault: { kind: 'bandwidth', bytesPerSecond: 1000 }, after: 2 }],
    [
      'GET:rate-limit,limit=30,retry=10s,per=caller',
      { method: 'GET', fault: { kind: 'rate-limit', limit: 30, retryAfterMs: 10_000 }, per: 'caller' },
    ],
  ])('%s', (text, rule) => {
    expect(parseRule(text)).toEqual(rule);
    expect(ruleText(rule)).toBe(text);
  });

  test.each([
    ['createSale', 'it has no ":"'],
    [':reset', 'it names no calls'],
    [
      '*:explode',
      '"explode" is not a fault. The faults are: delay, status, example, reset, empty, hang, truncated, malformed, malformed-chunk, slow, bandwidth, down, rate-limit, token-expired, lost.',
    ],
    ['*:status', '"*:status": write status=503. A rule'],
    ['*:status=999', '"*:status=999": status: must be 200 to 599'],
    ['*:status=503,tmes=2', '"tmes" is not an option of status. Did you mean times? Its options: status, retry, times,'],
    ['*:status=503,pieces=2', '"pieces" is not an option of status.'],
    ['*:reset,times=2,times=3', 'times is given twice.'],
    ['POST:lost', 'lost: is about webhooks: name them by their event type, such as sale.completed'],
    ['*:lost,query.page=1', 'is about webhooks'],
    ['*:hang', '"*:hang": write hang=30s. A rule'],
    ['*:slow', 'write slow=3s.'],
    ['*:bandwidth', 'write bandwidth=1000.'],
    ['*:hang=6m', '"*:hang=6m": hang: must be at most 300000 ms (5 minutes)'],
    ['*:slow=6m', '"*:slow=6m": slow: must be at most 300000 ms (5 minutes)'],
    ['*:bandwith=5', 'Did you mean bandwidth?'],
    ['*:bandwidth=0', '"*:bandwidth=0": bandwidth: must be at least 1.'],
    ['*:down,for=0s', '": for: must be at least 1 ms.'],
    ['*:down,forMs=1', '"forMs" is not an option of down.'],
    ['*:outage', 'Did you mean down?'],
    ['*:reset,times=0', 'times: must be at least 1'],
    ['*:reset,times', 'times needs a value: times=...'],
    ['*:reset,times=many', '"many" is not a number.'],
    ['*:reset,probability=2', 'probability: '],
    ['*:delay=200', '"200" is not a duration. Write a number with its unit: 200ms, 1.5s, 2m, 72h or 1h30m.'],
    ['*:delay=0.5ms', '"0.5ms" is not a whole number of milliseconds.'],
    ['*:delay=2s..1s', '"2s..1s" is not a range. Write the shorter time first, such as 200ms..2s.'],
    ['*:delay,mean=2s', 'write delay=2s or delay=200ms..2s, or give mean and deviation, or median and sigma.'],
    ['*:delay=2s..6m', '": delay: must be at most 300000 ms (5 minutes).'],
    ['*:delay,median=0s,sigma=1', '": median: must be at least 1 ms.'],
    ['*:reset=now', 'reset takes no value. Its options: stage, times, after,'],
    ['a b:reset', '"b" is a second operation.'],
    ['*:reset,__proto__=1', '"__proto__" is not an option of reset.'],
  ])('%s is refused with a message that shows a correct form', (text, message) => {
    expect(() => parseRule(text)).toThrow(FaultError);
    expect(() => parseRule(text)).toThrow(message);
    expect(() => parseRule(text)).toThrow('A rule looks like "createSale:status=503,times=2"');
  });

  const time = fc.integer({ min: 0, max: longestDelayMs });
  const positive = fc.integer({ min: 1, max: longestDelayMs });
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }).map(Math.abs);
  const optional = <Shape extends object>(shape: { [Name in keyof Shape]: fc.Arbitrary<Shape[Name]> }) =>
    fc.record(shape, { requiredKeys: [] });
  const stage = fc.constantFrom('request', 'reply');
  const joined = (...parts: fc.Arbitrary<object>[]) => fc.tuple(...parts).map((all) => Object.assign({}, ...all));
  const fault = fc.oneof(
    joined(
      fc.constant({ kind: 'delay' }),
      optional({ stage }),
      fc.oneof(
        fc.record({ ms: time }),
        fc.tuple(time, time).map(([a, b]) => ({ fromMs: Math.min(a, b), toMs: Math.max(a, b) })),
        fc.record({ meanMs: time, deviationMs: time }),
        fc.record({ medianMs: positive, sigma: share }),
      ),
    ),
    joined(
      fc.record({ kind: fc.constant('status'), status: fc.integer({ min: 200, max: 599 }) }),
      optional({ retryAfterMs: positive }),
    ),
    joined(fc.constantFrom({ kind: 'reset' }, { kind: 'empty' }), optional({ stage })),
    joined(fc.record({ kind: fc.constant('hang'), ms: positive }), optional({ stage })),
    fc.record({ kind: fc.constant('bandwidth'), bytesPerSecond: fc.integer({ min: 1, max: 1e9 }) }),
    joined(fc.constant({ kind: 'truncated' }), optional({ share })),
    fc.constantFrom({ kind: 'malformed' }, { kind: 'malformed-chunk' }, { kind: 'down' }, { kind: 'token-expired' }),
    joined(fc.record({ kind: fc.constant('slow'), overMs: positive }), optional({ pieces: fc.integer({ min: 2, max: 1000 }) })),
    joined(fc.constant({ kind: 'rate-limit' }), optional({ limit: fc.integer({ min: 1, max: 1e9 }), retryAfterMs: positive })),
  );
  const name = fc.stringMatching(/^[a-z_]{1,8}(\.[a-z_0-9]{1,8})?$/);
  const text = fc.stringMatching(/^[\w +-]{0,10}$/).map((one) => one.trim());
  const values = fc.dictionary(name, text, { minKeys: 1, noNullPrototype: true });
  const when = fc
    .record({ body: values, query: values, header: values }, { requiredKeys: [], noNullPrototype: true })
    .filter((one) => Object.keys(one).length > 0);
  const rule = joined(
    fc.record({ fault }),
    optional({
      when,
      id: fc.stringMatching(/^[\w-]{1,64}$/),
      operation: fc.stringMatching(/^[a-z]\w{0,9}$/),
      method: fc.constantFrom('GET', 'POST', 'DELETE'),
      path: fc.stringMatching(/^\/[\x21-\x7e]{0,20}$/),
      times: fc.integer({ min: 1, max: 1e9 }),
      after: fc.integer({ min: 0, max: 1e9 }),
      forMs: positive,
      probability: share,
      per: fc.constantFrom('operation', 'caller'),
    }),
  ) as fc.Arbitrary<FaultRule>;

  test('is parsed as the same rule that was written', () => {
    forAll(500, [rule], (written) => {
      const text = ruleText(written);
      expect(parseRule(text)).toEqual(written);
      expect(ruleText(parseRule(text))).toBe(text);
    });
  });

  test('causes only a FaultError if it is invalid', () => {
    const word = fc.constantFrom(
      ...['*', ':', ',', '=', '..', ' ', '/', '{', '-1', '1e999', '503', '2s', 'e'],
      ...['delay', 'status', 'reset', 'times', 'body.', 'GET', '__proto__', 'constructor'],
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word).map((words) => words.join('')),
    );
    forAll(1000, [text], (given) => {
      try {
        expect(parseRule(ruleText(parseRule(given)))).toEqual(parseRule(given));
      } catch (error) {
        expect(error).toBeInstanceOf(FaultError);
      }
    });
  });
});

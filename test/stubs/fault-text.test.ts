import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FaultError } from '../../stubs/faults/errors.ts';
import { Faults } from '../../stubs/faults/faults.ts';
import { longestDelayMs } from '../../stubs/faults/kinds.ts';
import { parseRule, ruleText } from '../../stubs/faults/rule-text.ts';
import type { FaultRule } from '../../stubs/faults/types.ts';

describe('the text of a rule', () => {
  test.each<[string, FaultRule]>([
    ['createSale:status=503,times=2', { operation: 'createSale', fault: { kind: 'status', status: 503 }, times: 2 }],
    ['*:delay=200ms..2s', { fault: { kind: 'delay', fromMs: 200, toMs: 2000 } }],
    ['readInventory:reset,probability=0.1', { operation: 'readInventory', fault: { kind: 'reset' }, probability: 0.1 }],
    ['POST /a:b/{id}:slow=3s,pieces=4', { method: 'POST', path: '/a:b/{id}', fault: { kind: 'slow', overMs: 3000, pieces: 4 } }],
    ['*:delay,median=300ms,sigma=0.5,stage=reply', { fault: { kind: 'delay', medianMs: 300, sigma: 0.5, stage: 'reply' } }],
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
      '"explode" is not a fault. The faults are: delay, status, example, reset, truncated, malformed, slow, rate-limit, token-expired.',
    ],
    ['*:status', 'fault.status: must be a whole number.'],
    ['*:status=999', 'fault.status: must be 200 to 599'],
    ['*:status=503,tmes=2', '"tmes" is not an option of status. Did you mean times? Its options: status, retry, times,'],
    ['*:status=503,pieces=2', '"pieces" is not an option of status.'],
    ['*:reset,times=2,times=3', 'times is given twice.'],
    ['*:reset,times=0', 'times: must be at least 1'],
    ['*:reset,times', 'times needs a value: times=...'],
    ['*:reset,times=many', '"many" is not a number.'],
    ['*:reset,probability=2', 'probability: '],
    ['*:delay=200', '"200" is not a duration. Write a number with its unit: 200ms, 1.5s, 2m, 72h or 1h30m.'],
    ['*:delay=0.5ms', '"0.5ms" is not a whole number of milliseconds.'],
    ['*:delay=2s..1s', 'fault.fromMs: must not be longer than toMs'],
    ['*:delay,mean=2s', 'fault: must have one of: ms; fromMs and toMs; meanMs and deviationMs; medianMs and sigma'],
    ['*:reset=now', '"reset" is not an option of reset.'],
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
    joined(fc.constant({ kind: 'reset' }), optional({ stage })),
    joined(fc.constant({ kind: 'truncated' }), optional({ share })),
    fc.constantFrom({ kind: 'malformed' }, { kind: 'token-expired' }),
    joined(fc.record({ kind: fc.constant('slow'), overMs: positive }), optional({ pieces: fc.integer({ min: 2, max: 1000 }) })),
    joined(fc.constant({ kind: 'rate-limit' }), optional({ limit: fc.integer({ min: 1, max: 1e9 }), retryAfterMs: positive })),
  );
  const rule = joined(
    fc.record({ fault }),
    optional({
      id: fc.stringMatching(/^[\w-]{1,64}$/),
      operation: fc.stringMatching(/^[a-z]\w{0,9}$/),
      method: fc.constantFrom('GET', 'POST', 'DELETE'),
      path: fc.stringMatching(/^\/[\x21-\x7e]{0,20}$/),
      times: fc.integer({ min: 1, max: 1e9 }),
      after: fc.integer({ min: 0, max: 1e9 }),
      probability: share,
      per: fc.constantFrom('operation', 'caller'),
    }),
  ) as fc.Arbitrary<FaultRule>;

  test('is parsed as the same rule that was written', () => {
    fc.assert(
      fc.property(rule, (written) => {
        const text = ruleText(written);
        expect(parseRule(text)).toEqual(written);
        expect(ruleText(parseRule(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('causes only a FaultError if it is invalid', () => {
    const word = fc.constantFrom(
      '*',
      ':',
      ',',
      '=',
      '..',
      'delay',
      'status',
      'reset',
      'times',
      '503',
      '2s',
      'e',
      '/',
      '{',
      ' ',
      '-1',
      '1e999',
      'GET',
      '__proto__',
      'constructor',
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(word).map((words) => words.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        try {
          expect(parseRule(ruleText(parseRule(given)))).toEqual(parseRule(given));
        } catch (error) {
          expect(error).toBeInstanceOf(FaultError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test('is not needed: an invalid rule given as an object is refused too', () => {
    const wrong = (value: unknown) => () => new Faults([value as FaultRule]);
    expect(wrong({ fault: { kind: 'nothing' } })).toThrow(
      'fault.kind: "nothing" is not a kind. The kinds are delay, status, example, reset',
    );
    expect(wrong({ operation: 'GET', fault: { kind: 'reset' } })).toThrow('operation: is a method: give it as `method`');
    expect(wrong({ fault: { kind: 'reset' }, tmes: 1 })).toThrow('"tmes" is not a field. Did you mean times?');
    expect(wrong({ fault: { kind: 'reset' }, path: 'things' })).toThrow('path: must begin with "/"');
    expect(wrong(undefined)).toThrow(FaultError);
  });
});

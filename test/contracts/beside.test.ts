import { expect, test } from 'vitest';
import { parseBeside } from '../../contracts/tools/verification/beside.ts';

const entry = { gap: 'pos.sale-status', reason: 'the till compares it with 201', expiry: '2027-01-31' };
const parse = (content: unknown) => parseBeside(JSON.stringify(content), 'pacts/passerelle.assumptions.json');

test('the file has assumptions and own words for states, both optional', () => {
  const states = { 'there are sales': { state: 'sales on a day', params: { date: '2026-11-21' } } };
  expect(parse({ assumptions: [entry], states })).toEqual({
    path: 'pacts/passerelle.assumptions.json',
    assumptions: [entry],
    states: { 'there are sales': [{ name: 'sales on a day', params: { date: '2026-11-21' } }] },
  });
  expect(parse({})).toMatchObject({ assumptions: [], states: {} });
});

test.each<[string, unknown, string]>([
  ['a misspelt list', { assumption: [entry] }, 'there is no field "assumption". Did you mean "assumptions"?'],
  ['no reason', { assumptions: [{ ...entry, reason: ' ' }] }, 'assumptions.0.reason'],
  ['no expiry', { assumptions: [{ gap: entry.gap, reason: 'r' }] }, 'assumptions.0.expiry'],
  ['a date that does not exist', { assumptions: [{ ...entry, expiry: '2027-02-30' }] }, 'assumptions.0.expiry'],
  ['a list', [entry], 'Expected {"assumptions"'],
])('%s is refused with its place', (_, content, message) => {
  expect(() => parse(content)).toThrow(message);
  expect(() => parse(content)).toThrow('pacts/passerelle.assumptions.json');
});

test('everything that is wrong is reported at once', () => {
  const content = {
    assumptions: [
      { ...entry, gap: 'pos.sale-statu', expiry: 'soon' },
      { ...entry, expires: '2027-01-31' },
    ],
    states: { a: [{ state: 'a stor', param: {} }, { state: 'zzzzzzzz' }], b: { stat: 'a store' } },
  };
  const message = expect.toSatisfy(({ message: text }: Error) =>
    [
      'assumptions.0.gap: there is no gap "pos.sale-statu". Did you mean "pos.sale-status"?',
      'assumptions.0.expiry: ',
      'assumptions.1: there is no field "expires". Did you mean "expiry"?',
      'states.a.0.state: there is no provider state "a stor". Did you mean "a store"?',
      'states.a.0: there is no field "param". Did you mean "params"?',
      'states.a.1.state: there is no provider state "zzzzzzzz";',
      'states.b.state: ',
      'states.b: there is no field "stat". Did you mean "state"?',
    ].every((part) => text.includes(part)),
  );
  expect(() => parse(content)).toThrow(message);
});

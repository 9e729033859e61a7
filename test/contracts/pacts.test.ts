import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { normalise, type PactFile } from '../../contracts/consumers/normalise.ts';

const namesIn = (folder: string, ending: string) =>
  readdirSync(new URL(`../../contracts/${folder}`, import.meta.url))
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .sort();

test('each pact belongs to a test file, and none is left over', () => {
  expect(namesIn('pacts', '.json')).toEqual(namesIn('consumers', '.pact.test.ts'));
});

const sale = { type: 'Synchronous/HTTP', description: 'a sale', providerStates: [{ name: 'a store', params: { b: 1, a: 2 } }] };
const saleElsewhere = { type: 'Synchronous/HTTP', description: 'a sale', providerStates: [{ name: 'no store' }] };
const event = { type: 'Asynchronous/Messages', description: 'sale.completed' };
const pactOf = (interactions: PactFile['interactions'], pactRust: string) => ({
  provider: { name: 'pos' },
  interactions,
  metadata: { pactRust: { ffi: pactRust }, pactSpecification: { version: '4.0' } },
  consumer: { name: 'till' },
});

test('a pact reads the same whatever the order of its tests and the version of Pact', () => {
  const text = normalise(pactOf([sale, event, saleElsewhere], '0.5.8'));
  expect(normalise(pactOf([saleElsewhere, sale, event], '0.5.9'))).toBe(text);
  expect(Object.keys(JSON.parse(text))).toEqual(['consumer', 'interactions', 'metadata', 'provider']);
  expect(JSON.parse(text).interactions).toEqual([event, sale, saleElsewhere]);
  expect(JSON.parse(text).metadata).toEqual({ pactSpecification: { version: '4.0' } });
  expect(text).toContain('"a": 2,\n            "b": 1');
});

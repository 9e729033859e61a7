import { expect, test } from 'vitest';
import { comparePacts } from '../../contracts/tools/comparison/compare.ts';
import { parsePact } from '../../contracts/tools/verification/pact-file.ts';
import { v4, verifyPact } from './pact-files.ts';

/** `verify` and `compare` say the same of a pact: what the provider refuses disagrees with its document. */

const authorized = { Authorization: 'Bearer x' };
const typed = { ...authorized, 'Content-Type': 'application/json' };
const query = { store_id: ['A'] };
const sale = { store_id: 'A', items: [{ product_id: 'P', quantity: 2, price: 4500 }], payment_method: 'cash', total: 9000 };
const shop = { store_id: 'A', products: [{ product_id: 'P', quantity: 500 }] };
const providerStates = [{ name: 'an access token' }, { name: 'a store', params: shop }];

interface Reads {
  path?: string;
  query?: Record<string, string[]>;
  headers?: Record<string, string>;
  status?: number;
  replied?: Record<string, string>;
}

const reads = ({ path = '/api/v1/inventory', status = 200, replied = {}, ...request }: Reads) => ({
  request: { method: 'GET', path, query, headers: authorized, ...request },
  response: { status, headers: replied },
});
const sells = (headers: Record<string, string>, { body = sale as object, status = 201 } = {}) => ({
  request: { method: 'POST', path: '/api/v1/sales', headers, body: { content: body, contentType: 'application/json' } },
  response: { status },
});

const agreed = {
  'the path as documented': reads({}),
  'the path without its base address': reads({ path: '/inventory' }),
  'an escaped letter in the path': reads({ path: '/api/v1/%69nventory' }),
  'a refusal of a repeated parameter': reads({ query: { store_id: ['A', 'B'] }, status: 400 }),
  'a refusal of an unknown path': reads({ path: '/api/v1/inventory/', status: 404 }),
  'a body with its type': sells(typed),
  'a character set': sells({ ...authorized, 'Content-Type': 'application/json; charset=utf-8' }),
  'a refusal of a body without its type': sells(authorized, { status: 415 }),
  'a refusal of a body of another type': sells({ ...authorized, 'Content-Type': 'text/plain' }, { status: 415 }),
  'a type that the provider does not have': reads({ headers: { ...authorized, Accept: 'application/xml' } }),
  'Cache-Control': reads({ replied: { 'Cache-Control': 'no-store' } }),
  'Content-Type': reads({ replied: { 'Content-Type': 'application/json; charset=utf-8' } }),
  'WWW-Authenticate': reads({ headers: {}, status: 401, replied: { 'WWW-Authenticate': 'Bearer' } }),
};

const refused = {
  'a slash after the path': reads({ path: '/api/v1/inventory/' }),
  'two slashes before the path': reads({ path: '//api/v1/inventory' }),
  'capitals in the path': reads({ path: '/API/v1/inventory' }),
  'no store_id': reads({ query: {} }),
  'a repeated store_id': reads({ query: { store_id: ['A', 'B'] } }),
  'a body without its type': sells(authorized),
  'a body of another type': sells({ ...authorized, 'Content-Type': 'text/plain' }),
  'a body without a field': sells(typed, { body: { ...sale, total: undefined } }),
  'another scheme of authorization': reads({ headers: { Authorization: 'Basic x' } }),
  'another Cache-Control': reads({ replied: { 'Cache-Control': 'no-cache, private' } }),
  'another Content-Type': reads({ replied: { 'Content-Type': 'text/html' } }),
  'another WWW-Authenticate': reads({ headers: {}, status: 401, replied: { 'WWW-Authenticate': 'Basic' } }),
  'a header that no document has': reads({ replied: { 'X-Powered-By': 'PHP' } }),
};

test('verify and compare accept and refuse the same interactions', async () => {
  const cases = Object.entries({ ...agreed, ...refused });
  const pact = v4(cases.map(([description, exchange]) => ({ description, providerStates, ...exchange })));
  const { verification } = await verifyPact(pact);
  const { findings } = await comparePacts({ provider: 'pos', pacts: [parsePact(JSON.parse(JSON.stringify(pact)), 'a.json')] });
  const verdicts = cases.map(([name]) => {
    const verified = verification.interactions.find(({ description }) => description === name)?.outcome;
    const errors = findings.filter(({ description, severity }) => description === name && severity === 'error');
    return [name, { verify: verified === 'verified', compare: errors.length === 0 }];
  });
  const both = (names: object, yes: boolean) => Object.keys(names).map((name) => [name, { verify: yes, compare: yes }]);
  expect(Object.fromEntries(verdicts)).toEqual(Object.fromEntries([...both(agreed, true), ...both(refused, false)]));
}, 120_000);

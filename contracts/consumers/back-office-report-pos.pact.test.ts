import { MatchersV3 } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import { ask, askRefused, each, type Operation } from './ask.ts';
import { obtainToken } from './clients/pos-token.ts';
import { SalesReports } from './clients/report.ts';
import { openPact } from './pact.ts';
import {
  anAccessToken,
  inData,
  noStore,
  reasons,
  statusFor,
  storeId,
  tokenIssued,
  tokenPath,
  tokenSent,
  unknownStoreId,
  withToken,
} from './pos.ts';
import { exampleToken, expectRefusal, fromState, json, success, tokenReply } from './shapes.ts';

const pact = openPact({ consumer: 'back-office-report', provider: 'pos', interactions: 13 });
const reports = (root: string) => new SalesReports(root, exampleToken);

const day = '2026-11-02';
const store_id = fromState('store_id', storeId);
const reading = { method: 'GET', path: '/api/v1/reports/sales', headers: withToken } as const;
const sold = [anAccessToken, ['sales on a day', { store_id: storeId, date: day }]] as const;

test('a token is issued for credentials', () => {
  const credentials = { api_key: 'example-key', api_secret: 'example-secret' };
  const { api_key, api_secret } = credentials;
  return ask(pact, {
    description: 'valid credentials',
    states: [['an account with an API key']],
    gaps: tokenPath,
    holding: tokenIssued,
    method: 'POST',
    path: '/api/auth',
    body: { api_key: fromState('api_key', api_key), api_secret: fromState('api_secret', api_secret) },
  })
    .willRespondWith(success(200), (reply) => json(reply).jsonBody(tokenReply.shown))
    .executeTest(async ({ url }) => expect(await obtainToken(url, credentials)).toEqual(tokenReply.read));
});

test('a report over a period is read', () =>
  ask(pact, {
    ...reading,
    description: 'a report over a period',
    states: sold,
    gaps: tokenSent,
    holding: ['pos/status-200', 'pos/token-used', 'pos/base-path', 'pos/json'],
    query: { store_id, start_date: '2026-11-01', end_date: '2026-11-30' },
  })
    .willRespondWith(200, json)
    .executeTest(({ url }) => reports(url).read(storeId, { firstDay: '2026-11-01', lastDay: '2026-11-30' })));

// The document shows no fields of a report, so its totals rest on a gap. The state sells two bags.
const { equal } = MatchersV3;
const salesCounted = { data: { totals: { sales: equal(2), quantity: equal(2) } } };
const counted = { ...tokenSent, ...inData, 'pos.report-response': 'data.totals has the number of sales and the quantity' };
const before = ['sales on a day', { store_id: storeId, date: '2026-11-01' }] as const;
const after = ['sales on a day', { store_id: storeId, date: '2026-11-03' }] as const;

test.each([
  { what: 'of one store', others: [], holding: 'pos/report-of-store' },
  { what: 'without the sales before its first day', others: [before], holding: 'pos/report-start' },
  { what: 'without the sales after its last day', others: [after], holding: 'pos/report-end' },
])('a report $what is read', ({ what, others, holding }) =>
  ask(pact, {
    ...reading,
    description: `a report ${what}`,
    states: [...sold, ...others],
    gaps: counted,
    holding: [holding],
    query: { store_id, start_date: day, end_date: day },
  })
    .willRespondWith(200, (reply) => json(reply).jsonBody(salesCounted))
    .executeTest(async ({ url }) => {
      await reports(url).read(storeId, { firstDay: day, lastDay: day });
    }),
);

test('a report without a period is read', () =>
  ask(pact, {
    ...reading,
    description: 'a report without a period',
    states: sold,
    gaps: { ...tokenSent, 'pos.report-dates-required': 'start_date and end_date are left out' },
    query: { store_id },
  })
    .willRespondWith(200, json)
    .executeTest(({ url }) => reports(url).read(storeId)));

test('a report whose last day is before its first is refused', () =>
  ask(pact, {
    ...reading,
    description: 'a report that ends before it begins',
    states: sold,
    gaps: {
      ...tokenSent,
      ...statusFor(400, 'a reversed period'),
      'pos.report-dates-required': 'a reversed period is refused',
    },
    holding: ['pos/status-400'],
    query: { store_id, start_date: '2026-11-30', end_date: '2026-11-01' },
  })
    .willRespondWith(400, json)
    .executeTest(({ url }) => expectRefusal(reports(url).read(storeId, { firstDay: '2026-11-30', lastDay: '2026-11-01' }), 400)));

test('a report with a date of another form is refused', () =>
  ask(pact, {
    ...reading,
    description: 'a report from a date that is not YYYY-MM-DD',
    states: sold,
    gaps: { ...tokenSent, ...statusFor(400, 'a date of another form') },
    holding: ['pos/status-400', 'pos/report-start'],
    query: { store_id, start_date: '01/11/2026', end_date: '2026-11-30' },
  })
    .willRespondWith(400, json)
    .executeTest(({ url }) => expectRefusal(reports(url).read(storeId, { firstDay: '01/11/2026', lastDay: '2026-11-30' }), 400)));

test('a report of an unknown store is refused', () =>
  ask(pact, {
    ...reading,
    description: 'a report of an unknown store',
    states: [anAccessToken, noStore],
    gaps: { ...tokenSent, ...statusFor(404, 'an unknown store') },
    holding: ['pos/status-404'],
    query: { store_id: fromState('store_id', unknownStoreId), start_date: '2026-11-01', end_date: '2026-11-30' },
  })
    .willRespondWith(404, json)
    .executeTest(({ url }) =>
      expectRefusal(reports(url).read(unknownStoreId, { firstDay: '2026-11-01', lastDay: '2026-11-30' }), 404),
    ));

const report: Operation<SalesReports> = {
  ...reading,
  name: 'a report',
  query: { store_id: storeId, start_date: '2026-11-01', end_date: '2026-11-30' },
  call: (client) => client.read(storeId, { firstDay: '2026-11-01', lastDay: '2026-11-30' }),
};

test.each(each([report], reasons))('$description is refused', (refused) =>
  askRefused(pact, refused)
    .willRespondWith(refused.reason.status, json)
    .executeTest(({ url }) => expectRefusal(report.call(new SalesReports(url, refused.reason.token)), refused.reason.status)),
);

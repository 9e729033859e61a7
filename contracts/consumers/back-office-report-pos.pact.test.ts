import { MatchersV3 } from '@pact-foundation/pact';
import { test } from 'vitest';
import { type Exchange, each, exchangeOn, type State } from './ask.ts';
import { type Period, SalesReports } from './clients/report.ts';
import { openPact } from './pact.ts';
import {
  anAccessToken,
  inData,
  noStore,
  reasons,
  statusFor,
  storeId,
  tokenSent,
  unknownStoreId,
  validCredentials,
  withToken,
} from './pos.ts';
import { fromState } from './shapes.ts';

const { equal } = MatchersV3;

const pact = openPact({ consumer: 'back-office-report', provider: 'pos', interactions: 13 });
const exchange = exchangeOn(pact, (root, token) => new SalesReports(root, token));

test('a token is issued for credentials', () => exchangeOn(pact, (root) => root)(validCredentials));

const day = '2026-11-02';
const november: Period = { firstDay: '2026-11-01', lastDay: '2026-11-30' };
const salesOn = (date: string): State => ['sales on a day', { store_id: storeId, date }];
const reading = { method: 'GET', path: '/api/v1/reports/sales', headers: withToken } as const;

/** A report over a period, of a store that a state returned. */
const reportOver = (period: Period, store = storeId) => ({
  ...reading,
  states: [anAccessToken, salesOn(day)],
  gaps: tokenSent,
  query: {
    store_id: fromState('store_id', store),
    ...(period.firstDay && { start_date: period.firstDay }),
    ...(period.lastDay && { end_date: period.lastDay }),
  },
  status: 200,
  call: (client: SalesReports): Promise<unknown> => client.read(store, period),
});

/** The document shows no fields of a report, so its totals rest on a gap. The state sells two bags. */
const counted = (what: string, others: readonly State[], holding: string): Exchange<SalesReports> => ({
  ...reportOver({ firstDay: day, lastDay: day }),
  description: `a report ${what}`,
  states: [anAccessToken, salesOn(day), ...others],
  gaps: { ...tokenSent, ...inData, 'pos.report-response': 'data.totals has the number of sales and the quantity' },
  holding: [holding],
  shown: { data: { totals: { sales: equal(2), quantity: equal(2) } } },
  call: async (client) => JSON.parse(await client.read(storeId, { firstDay: day, lastDay: day })),
});

test.each<Exchange<SalesReports>>([
  {
    ...reportOver(november),
    description: 'a report over a period',
    holding: ['pos/status-200', 'pos/token-used', 'pos/base-path', 'pos/json'],
  },
  counted('of one store', [], 'pos/report-of-store'),
  counted('without the sales before its first day', [salesOn('2026-11-01')], 'pos/report-start'),
  counted('without the sales after its last day', [salesOn('2026-11-03')], 'pos/report-end'),
  {
    ...reportOver({}),
    description: 'a report without a period',
    gaps: { ...tokenSent, 'pos.report-dates-required': 'start_date and end_date are left out' },
  },
  {
    ...reportOver({ firstDay: '2026-11-30', lastDay: '2026-11-01' }),
    description: 'a report that ends before it begins',
    gaps: {
      ...tokenSent,
      ...statusFor(400, 'a reversed period'),
      'pos.report-dates-required': 'a reversed period is refused',
    },
    holding: ['pos/status-400'],
    status: 400,
  },
  {
    ...reportOver({ ...november, firstDay: '01/11/2026' }),
    description: 'a report from a date that is not YYYY-MM-DD',
    gaps: { ...tokenSent, ...statusFor(400, 'a date of another form') },
    holding: ['pos/status-400', 'pos/report-start'],
    status: 400,
  },
  {
    ...reportOver(november, unknownStoreId),
    description: 'a report of an unknown store',
    states: [anAccessToken, noStore],
    gaps: { ...tokenSent, ...statusFor(404, 'an unknown store') },
    holding: ['pos/status-404'],
    status: 404,
  },
  ...each<SalesReports>(
    [
      {
        ...reading,
        name: 'a report',
        query: { store_id: storeId, start_date: '2026-11-01', end_date: '2026-11-30' },
        call: (client) => client.read(storeId, november),
      },
    ],
    reasons,
  ),
])('$description', exchange);

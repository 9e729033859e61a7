import { expect, test } from 'vitest';
import { openRehearsingGateway } from '../../../contracts/tools/probe/rehearsing-gateway.ts';
import type { RecordedCall } from '../../../contracts/tools/recording/recorded.ts';
import { settle } from '../../../contracts/tools/recording/settle.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { recorded, writtenPact } from '../recordings.ts';

/** What of these calls stands in the pact after it was tried, and what does not. */
async function tried(service: ServiceName, calls: Partial<RecordedCall>[]) {
  const recording = { service, calls: calls.map(recorded), deliveries: [] };
  const { pact, notRecreated } = await settle(writtenPact(recording).pact, {
    provider: service,
    promiseAll: false,
    reference: openRehearsingGateway,
  });
  return { descriptions: pact.interactions.map(({ description }) => description), notRecreated };
}

const requestHeaders = { authorization: 'Bearer tok', 'content-type': 'application/json' };
const sale = (requestBody: string) => ({ method: 'POST', url: '/api/v1/sales', status: 400, requestHeaders, requestBody });

test('a body that is not an object is sent as it is', async () => {
  expect(await tried('pos', ['[1]', '"str"', 'null', '7', 'true'].map(sale))).toEqual({
    descriptions: ['a list', 'a number', 'a text', 'null', 'true'].map(
      (kind) => `create a sale with ${kind} as its body, refused with 400`,
    ),
    notRecreated: [],
  });
});

test('a request without a body keeps its Content-Type', async () => {
  expect(await tried('pos', [sale('')])).toEqual({
    descriptions: ['create a sale with no body but a Content-Type, refused with 400'],
    notRecreated: [],
  });
});

test('what gets another status than the recorded one is left out, also if any refusal would do', async () => {
  const rightSale = { store_id: 'S', items: [{ product_id: 'P', quantity: 1, price: 5 }], payment_method: 'cash', total: 6 };
  expect(await tried('pos', [{ ...sale(JSON.stringify(rightSale)), status: 409 }])).toEqual({
    descriptions: [],
    notRecreated: [
      {
        description: 'create a sale with payment_method cash, of which the total is not the sum of the lines, refused with 409',
        reason: 'its states do not bring its reply about: status: expected 409, got 400',
      },
    ],
  });
});

test('lists that find nothing are green with rows that must not be found', async () => {
  const asked = [
    'interventions?statut=zzz',
    'interventions?statut=suspendu&region=Nowhere',
    'interventions?annee=1999',
    'interventions?statut=suspendu',
  ];
  const urls = [
    ...asked,
    'structures?type=zzz',
    'structures?type=ong&page=4',
    'structures?q=zzz',
    'structures?page=9999',
    'indicateurs?type=impact&kpi=1',
  ];
  const calls = urls.map((path) => ({ url: `/api/v1/${path}`, requestHeaders, responseBody: '{"data":[],"meta":{}}' }));
  expect(await tried('cohesion', calls)).toEqual({ descriptions: expect.toSatisfy((all) => all.length === 9), notRecreated: [] });
});

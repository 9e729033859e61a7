import { type PactFile, parsePact } from '../../contracts/tools/verification/pact-file.ts';

const json = (content: unknown) => ({ content, contentType: 'application/json', encoded: false });
const about = { consumer: { name: 'till' }, provider: { name: 'pos' } };

export const sale = {
  store_id: 'STORE-1',
  items: [{ product_id: 'PROD-1', quantity: 2, price: 4500 }],
  payment_method: 'cash',
  total: 9000,
};

interface Call {
  description?: string;
  method?: string;
  path: string;
  query?: Record<string, string[]>;
  headers?: Record<string, string[]>;
  body?: unknown;
  status?: number;
  reply?: unknown;
}

export const authorized = { Authorization: ['Bearer x'] };

/** An interaction of version 4. */
export function http({
  description = 'a call',
  method = 'GET',
  path,
  query,
  headers = authorized,
  body,
  status = 200,
  reply,
}: Call) {
  return {
    type: 'Synchronous/HTTP',
    description,
    providerStates: [{ name: 'a store', params: { store_id: 'STORE-1' } }],
    request: { method, path, ...(query && { query }), headers, ...(body !== undefined && { body: json(body) }) },
    response: { status, ...(reply !== undefined && { body: json(reply), headers: { 'Content-Type': ['application/json'] } }) },
  };
}

export function message(content: unknown, description = 'an event') {
  return { type: 'Asynchronous/Messages', description, contents: json(content), metadata: { contentType: 'application/json' } };
}

export function version4(...interactions: object[]): PactFile {
  return parsePact({ ...about, interactions, metadata: { pactSpecification: { version: '4.0' } } }, 'pacts/till-pos.json');
}

/** One call and one message in the shape of versions 2 and 3. */
export const version2 = {
  ...about,
  interactions: [
    {
      description: 'reads the inventory',
      providerState: 'a store',
      request: {
        method: 'get',
        path: '/api/v1/inventory',
        query: 'store_id=STORE-1&store_id=STORE-2',
        headers: { Accept: 'application/json' },
      },
      response: { status: 200, headers: {}, body: { success: true } },
    },
  ],
  metadata: { pactSpecificationVersion: '2.0.0' },
};

export const version3 = {
  ...about,
  messages: [
    {
      description: 'stock fell',
      providerStates: [{ name: 'stock fell to its threshold' }],
      contents: { event: 'inventory.low', data: { quantity: 3 } },
      metaData: { contentType: 'application/json' },
      matchingRules: { body: {} },
    },
  ],
  metadata: { pactSpecification: { version: '3.0.0' }, 'pact-js': { version: '17' } },
};

/** The two calls that every variant answers: a read, and a write whose body is validated. */
export const get = { method: 'GET', path: '/api/v1/inventory?store_id=STORE-ABJ-01' } as const;

export const post = {
  method: 'POST',
  path: '/api/v1/sales',
  // The quantity is so small that the stock outlasts any run.
  body: {
    store_id: 'STORE-ABJ-01',
    items: [{ product_id: 'PRD-0001', quantity: 0.000001, price: 0 }],
    payment_method: 'cash',
    customer_phone: '+2250701020304',
    total: 0,
  },
} as const;

export type Call = typeof get | typeof post;

export const inventory = {
  success: true,
  data: {
    store_id: 'STORE-ABJ-01',
    currency: 'XOF',
    updated_at: '2026-11-21T08:53:00Z',
    // As many products as the demo store has, so that reads are equally large.
    items: Array.from({ length: 41 }, (_, at) => ({
      product_id: `PRD-${String(at + 1).padStart(4, '0')}`,
      name: 'Riz parfumé 5 kg',
      category: 'Alimentation',
      price: 4500,
      quantity: 120,
      low_threshold: 40,
      low: false,
    })),
  },
};

export const sale = {
  success: true,
  data: {
    id: 'sale_019aa5b0c1d27e3f8a4b5c6d7e8f9012',
    reference: 'S-20261121-7K3M9Q',
    store_id: 'STORE-ABJ-01',
    status: 'completed',
    payment_method: 'cash',
    customer_phone: '+2250701020304',
    items: [{ product_id: 'PRD-0001', name: 'Riz parfumé 5 kg', quantity: 0.000001, price: 0, amount: 0 }],
    total: 0,
    paid: 0,
    currency: 'XOF',
    created_at: '2026-11-21T08:53:00Z',
    completed_at: '2026-11-21T08:53:00Z',
  },
};

/** The calls as a pact, for pact-stub-server: it sends the replies in the file, to requests that match. */
export const pact = {
  consumer: { name: 'bench' },
  provider: { name: 'pos' },
  interactions: [
    {
      description: 'the inventory',
      request: { method: get.method, path: '/api/v1/inventory', query: { store_id: ['STORE-ABJ-01'] } },
      response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: inventory },
    },
    {
      description: 'a sale',
      request: {
        method: post.method,
        path: post.path,
        headers: { 'Content-Type': 'application/json' },
        body: post.body,
        matchingRules: { body: { $: { matchers: [{ match: 'type' }] } } },
      },
      response: { status: 201, headers: { 'Content-Type': 'application/json' }, body: sale },
    },
  ],
  metadata: { pactSpecification: { version: '3.0.0' } },
};

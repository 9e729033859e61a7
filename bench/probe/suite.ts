// The suite that bench/probe.ts probes: 40 tests that take 5 s in all. PLANTED has the names of the dependencies that its tests get.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { call, sale, signIn } from '../../examples/probe/till.ts';

const token = await signIn();
const planted = new Set((process.env.PLANTED ?? '').split(','));
const isSuccess = (status: number) => status >= 200 && status < 300;
const inventory = '/api/v1/inventory?store_id=STORE-ABJ-01';
const today = new Date().toISOString().slice(0, 10);
const report = `/api/v1/reports/sales?store_id=STORE-ABJ-01&start_date=${today}&end_date=${today}`;

let sold = 0;
/** No two sales are the same, so that none is taken for a repetition. */
const sells = () => {
  sold += 1;
  const [item] = sale.items;
  return call('POST', '/api/v1/sales', { token, body: { ...sale, items: [{ ...item, quantity: sold }], total: 4500 * sold } });
};
const reads = () => call('GET', inventory, { token });
const refused = (body: object) => call('POST', '/api/v1/sales', { token, body });

/** The reply with its headers as they were written. */
async function raw(path: string): Promise<{ reply: IncomingMessage; text: string }> {
  const sent = request(`${process.env.PASSERELLE_POS_URL}${path}`, {
    headers: { authorization: `Bearer ${token}`, connection: 'keep-alive' },
  });
  sent.end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of reply) text += chunk;
  return { reply, text };
}

/** Tests that depend on a choice of the stub, by the dependency's name. */
const depending: Readonly<Record<string, () => Promise<void>>> = {
  async 'sale-status'() {
    assert.equal((await sells()).status, 201);
  },
  async 'error-body'() {
    const { body } = await call('POST', '/api/auth', { body: { api_key: 'nobody', api_secret: 'wrong' } });
    assert.equal(typeof body.error?.message, 'string');
  },
  async 'unknown-store'() {
    assert.equal((await refused({ ...sale, store_id: 'STORE-NOWHERE' })).status, 404);
  },
  async 'invalid-body'() {
    assert.equal((await refused({ ...sale, items: 'none' })).status, 400);
  },
  async 'header-case'() {
    assert.ok((await raw(inventory)).reply.rawHeaders.includes('content-type'));
  },
  async charset() {
    assert.equal((await raw(inventory)).reply.headers['content-type'], 'application/json; charset=utf-8');
  },
  async whitespace() {
    assert.ok(!(await raw(inventory)).text.includes('\n'));
  },
  async escapes() {
    assert.ok(!(await raw(inventory)).text.includes('\\u'));
  },
  async chunked() {
    assert.ok((await raw(inventory)).reply.headers['content-length'] !== undefined);
  },
  async 'connection-close'() {
    assert.notEqual((await raw(report)).reply.headers.connection, 'close');
  },
  async hangs() {
    // A helper that waits for a field polls until it is there.
    for (;;) {
      const { body } = await sells();
      if (body.data !== undefined) return;
      await setTimeout(200);
    }
  },
};

const careful: readonly (() => Promise<void>)[] = [
  async () => assert.ok(isSuccess((await reads()).status)),
  async () => assert.ok(isSuccess((await call('GET', report, { token })).status)),
  async () => assert.ok(!isSuccess((await refused({ ...sale, store_id: 'STORE-NOWHERE' })).status)),
  async () => assert.ok(!isSuccess((await refused({ ...sale, items: 'none' })).status)),
];

const own = Object.entries(depending).filter(([name]) => planted.has(name));
const others = Array.from({ length: 38 - own.length }, (_, at) => [`careful ${at}`, careful[at % careful.length]] as const);
const sales = ['sells', 'sells again'].map((name) => [name, async () => assert.ok(isSuccess((await sells()).status))] as const);
for (const [name, check] of [...sales, ...own, ...others])
  test(name, async () => {
    // What a test does beside its calls: a browser, a database, a framework.
    await setTimeout(110);
    await check?.();
  });

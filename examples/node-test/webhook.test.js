// Tests a webhook receiver with signed deliveries and all their retries. The stub's clock makes it fast.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { startStub } from 'passerelle';
import { verifySignature } from 'passerelle/receiver';

const received = [];
let away = false;
let stub;
let secret;

const receiver = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  const { valid } = verifySignature(body, request.headers, secret);
  if (valid && !away) received.push(JSON.parse(body));
  response.writeHead(away ? 503 : valid ? 204 : 401).end();
});

before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  stub = await startStub('pos', { clock: '2026-11-21T08:00:00Z' });
  const { port } = receiver.address();
  ({ secret } = await stub.endpoints.add({ url: `http://127.0.0.1:${port}/hook` }));
});
after(async () => {
  await stub.close();
  receiver.close();
});

test('a delivery is genuine', async () => {
  await stub.trigger('sale.completed', { total: 1500 });
  assert.equal(received.at(-1).event, 'sale.completed');
  assert.equal(received.at(-1).data.total, 1500);
});

test('a receiver that was down for an hour gets the missed events', async () => {
  away = true;
  received.length = 0;
  await stub.trigger('sale.completed');
  await stub.clock.advance('1h');
  away = false;
  await stub.clock.advance('72h');
  assert.equal(received.length, 1);
});

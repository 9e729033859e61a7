import { expect, test } from 'vitest';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { verifySignature } from '../../receivers/verify-signature.ts';
import { listen, type SeenDelivery } from '../../stubs/listen/listen.ts';
import { eventually } from '../eventually.ts';
import { freePort } from '../free-port.ts';
import { buildTestApp, operatorToken, type TestGateway } from '../helper.ts';
import { start } from '../program.ts';
import { receiver } from '../webhooks/receiver.ts';

/** A gateway that listens and retries without delay. */
async function gatewayThatListens(settings: Record<string, string> = {}) {
  const gateway = await buildTestApp({ settings: { WEBHOOK_RETRY_SECONDS: '0,0,0', ...settings } });
  return { gateway, at: await gateway.app.listen({ port: 0, host: '127.0.0.1' }) };
}

async function sell(gateway: TestGateway): Promise<void> {
  const token = await gateway.posToken();
  const store_id = gateway.demo.pos.stores[0] as string;
  const { items } = (await gateway.call('GET', `/pos/api/v1/inventory?store_id=${store_id}`, { token })).body.data;
  const { product_id, price } = items.find(
    (one: { quantity: number; low_threshold: number }) => one.quantity > one.low_threshold + 1,
  );
  const sale = { store_id, items: [{ product_id, quantity: 1, price }], payment_method: 'cash', total: price };
  expect((await gateway.call('POST', '/pos/api/v1/sales', { token, body: sale })).status).toBe(201);
}

const endpointsOf = async (gateway: TestGateway) => (await gateway.manage('GET', '/endpoints')).body.data;

/** Runs the command as a process that prints JSON lines. */
async function startListening(at: string, args: string[]) {
  const running = start(['listen', '--at', at, '--json', ...args], { env: { PASSERELLE_OPERATOR_TOKEN: operatorToken } });
  await eventually(() => expect(running.jsonLines().length, running.stderr).toBeGreaterThan(0));
  const { endpoints } = running.jsonLines()[0] as { endpoints: { id: string; service: string; secret: string }[] };
  return { running, lines: running.jsonLines, endpoints };
}

test('--header adds headers to what is forwarded, in place of those of the same name', async () => {
  const { gateway, at } = await gatewayThatListens();
  const { url, received } = await receiver();
  const own = ['--header', 'X-Api-Key: k1', '--header', 'User-Agent: mine'];
  await startListening(at, ['--forward-to', url, ...own]);
  await sell(gateway);
  await eventually(() => expect(received[0]?.headers).toMatchObject({ 'x-api-key': 'k1', 'user-agent': 'mine' }));
});

test('events, retries and a resend arrive as they were sent; Ctrl-C removes the endpoint', async () => {
  const { gateway, at } = await gatewayThatListens();
  const { url, received } = await receiver((response) => response.writeHead(received.length === 1 ? 500 : 204).end());
  const { running, lines, endpoints } = await startListening(at, ['--forward-to', url, '--events', 'sale.completed']);
  const [{ id, secret, service } = { id: '', secret: '', service: '' }] = endpoints;
  expect({ service, count: endpoints.length }).toEqual({ service: 'pos', count: 1 });

  await sell(gateway);
  await eventually(() => expect(received).toHaveLength(2));
  await eventually(async () => {
    const [delivery] = (await gateway.manage('GET', `/deliveries?endpoint_id=${id}`)).body.data;
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2, response_status: 204 });
  });
  const [delivery] = (await gateway.manage('GET', `/deliveries?endpoint_id=${id}`)).body.data;
  const { event } = (await gateway.manage('GET', `/deliveries/${delivery.id}`)).body.data;
  expect((await gateway.manage('POST', `/deliveries/${delivery.id}/resend`)).status).toBe(202);
  await eventually(() => expect(lines()).toHaveLength(4));

  for (const { body, headers, path } of received) {
    expect({ body, path }).toEqual({ body: event.body, path: '/hook' });
    expect(verifySignature(body, headers, secret)).toMatchObject({ valid: true, webhookId: event.id });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Passerelle', host: new URL(url).host });
  }
  expect(lines().slice(1)).toMatchObject([
    { kind: 'delivery', event: 'sale.completed', id: event.id, attempt: 1, status: 500, error: null },
    { attempt: 2, status: 204 },
    { attempt: 3, status: 204 },
  ]);

  running.child.kill('SIGINT');
  expect(await running.ended).toBe(0);
  expect(lines().at(-1)).toEqual({ kind: 'ended' });
  expect(await endpointsOf(gateway)).toEqual([]);
});

test('text output shows the secret once, each delivery, and what to do if the receiver is down; SIGTERM ends it too', async () => {
  const { gateway, at } = await gatewayThatListens();
  const nobody = `127.0.0.1:${await freePort()}`;
  const args = ['listen', '--at', at, '--token', operatorToken, '--forward-to', `${nobody}/hook`, '--print-body'];
  const running = start([...args, 'pos']);
  await eventually(() => expect(running.stdout).toContain('Ctrl-C'));
  expect(running.stdout).toMatch(/signing secret whsec_/);
  await sell(gateway);
  await eventually(() => expect(running.stdout).toMatch(/sale\.completed +evt_\w+ {2}attempt 3 {2}502 {2}\d+ ms/));
  await eventually(() => expect(running.stderr).toContain(`http://${nobody}/hook did not answer`));
  expect(running.stdout).toContain('{"event":"sale.completed"');
  await eventually(async () => {
    const [delivery] = (await gateway.manage('GET', '/deliveries')).body.data;
    expect(delivery).toMatchObject({ status: 'failed', response_status: 502 });
  });
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(running.stderr).toContain('The endpoints were removed.');
  expect(await endpointsOf(gateway)).toEqual([]);
});

test('both services by default, each with its own endpoint; without a target deliveries are shown and accepted', async () => {
  const { gateway, at } = await gatewayThatListens();
  const seen: SeenDelivery[] = [];
  const listening = await listen({ at, token: operatorToken, onDelivery: (one) => seen.push(one) });
  expect(listening.endpoints.map(({ service }) => service).toSorted()).toEqual(['cohesion', 'pos']);
  for (const { id, service } of listening.endpoints) {
    const event_type = service === 'pos' ? 'sale.completed' : 'plan.closed';
    expect((await gateway.manage('POST', `/endpoints/${id}/test`, { event_type })).status).toBe(201);
  }
  await eventually(() => expect(seen).toHaveLength(2));
  expect(seen.map(({ service, event, status }) => `${service} ${event} ${status}`).toSorted()).toEqual([
    'cohesion plan.closed 200',
    'pos sale.completed 200',
  ]);
  await listening.close();
  expect(await endpointsOf(gateway)).toEqual([]);
});

/** What the gateway got for its only attempt at what listens, and what that saw. */
async function attemptThrough(forwarding: { forwardTo: string; forwardTimeoutMs?: number }) {
  const { gateway, at } = await gatewayThatListens({ WEBHOOK_RETRY_SECONDS: '0', WEBHOOK_DEADLINE_MS: '120000' });
  const seen: SeenDelivery[] = [];
  const options = { at, token: operatorToken, services: ['pos'], ...forwarding };
  const listening = await listen({ ...options, onDelivery: (one) => seen.push(one) });
  await sell(gateway);
  const { id } = await eventually(async () => {
    const [delivery] = (await gateway.manage('GET', '/deliveries')).body.data;
    expect(delivery).toMatchObject({ status: 'failed', attempts: 1 });
    return delivery;
  });
  await listening.close();
  const { attempts_made } = (await gateway.manage('GET', `/deliveries/${id}`)).body.data;
  return { attempts: attempts_made, statuses: seen.map(({ status }) => status) };
}

test('a redirect and the target’s headers reach the gateway', async () => {
  const moved = { location: '/elsewhere', 'x-of-the-target': 'yes' };
  const { url } = await receiver((response) => response.writeHead(302, moved).end('moved'));
  const { attempts, statuses } = await attemptThrough({ forwardTo: url });
  expect(attempts).toMatchObject([
    { outcome: 'redirect', response_status: 302, response_body: 'moved', response_headers: { 'x-of-the-target': 'yes' } },
  ]);
  expect(statuses).toEqual([302]);
});

test('a target that does not answer in time gives 504', async () => {
  const { url } = await receiver(() => {});
  const { attempts, statuses } = await attemptThrough({ forwardTo: url, forwardTimeoutMs: 200 });
  const why = expect.stringContaining('did not respond within 200 ms');
  expect(attempts).toMatchObject([{ response_status: 504, response_body: why }]);
  expect(statuses).toEqual([504]);
});

test('an impossible request is reported in one line and leaves no endpoint behind', async () => {
  const { gateway, at } = await gatewayThatListens({ WEBHOOK_LOOPBACK: 'off' });
  const given = { at, token: operatorToken, onDelivery: () => {} };
  const refusal = (options: Partial<Parameters<typeof listen>[0]>) =>
    listen({ ...given, ...options }).then(
      () => 'it listens',
      (error: Error) => {
        expect(error).toBeInstanceOf(CouldNotRun);
        return error.message;
      },
    );
  expect(await refusal({})).toContain('WEBHOOK_LOOPBACK=on');
  expect(await refusal({ token: 'another' })).toContain('refused the token. Give the operator token');
  expect(await refusal({ events: ['sale.complete'] })).toContain('Did you mean sale.completed?');
  expect(await refusal({ at: `http://127.0.0.1:${await freePort()}` })).toContain('Nothing answers at');
  const { url } = await receiver((response) => response.writeHead(200).end('hello'));
  expect(await refusal({ at: new URL(url).origin })).toContain('neither a stub nor a gateway');
  expect(await endpointsOf(gateway)).toEqual([]);
});

test('requests of other programs on this machine are not accepted as deliveries', async () => {
  const { gateway, at } = await gatewayThatListens();
  const seen: SeenDelivery[] = [];
  const listening = await listen({ at, token: operatorToken, services: ['pos'], onDelivery: (one) => seen.push(one) });
  const [{ url }] = await endpointsOf(gateway);
  expect((await fetch(new URL('/pos', url), { method: 'POST', body: '{}' })).status).toBe(404);
  expect((await fetch(url)).status).toBe(404);
  expect(seen).toEqual([]);
  await listening.close();
});

// Must be the first import: the page's libraries look for a document when they are loaded.
import './dom.ts';

import { notifications } from '@mantine/notifications';
import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react';
import { createElement } from 'react';
import { expect, onTestFinished } from 'vitest';
import { queries } from '../../../gateway/console/page/lib/queries.ts';
import { Root } from '../../../gateway/console/page/root.tsx';
import { eventually } from '../../eventually.ts';
import { buildTestApp, operatorToken, type TestGateway } from '../../helper.ts';
import { receiver } from '../../webhooks/receiver.ts';
import { network } from './dom.ts';

configure({
  asyncUtilTimeout: 120_000,
  defaultHidden: true,
  getElementError: (message) => new Error(`${message?.split('\n')[0]}\nThe page shows: ${shownText()}`),
});

export { fireEvent, screen, within };

/** Every request of the page in this file, such as `GET /manage/v1/deliveries?status=failed`. */
export const requests: string[] = [];

function shownText(): string | null {
  const body = document.body.cloneNode(true) as HTMLElement;
  for (const style of body.querySelectorAll('style')) style.remove();
  return body.textContent;
}

interface Visit {
  /** Default: the operator's token. `null` shows the sign-in form. */
  credential?: string | null;
}

queries.setDefaultOptions({ queries: { ...queries.getDefaultOptions().queries, retryDelay: 0 } });

/** Renders the console at a path below /console. Its requests go to this gateway without a socket. */
export async function visit(gateway: TestGateway, path: string, { credential = operatorToken }: Visit = {}): Promise<void> {
  leave();
  connect(gateway);
  if (credential !== null) await signIn(credential);
  history.replaceState(null, '', `/console${path}`);
  render(createElement(Root, { nonce: '', env: 'test' }));
  onTestFinished(leave);
}

/** Closes the console and forgets everything it has read. */
function leave(): void {
  notifications.clean();
  cleanup();
  queries.clear();
}

/** Answers `fetch` with the gateway, and keeps its session cookie as a browser does. */
function connect({ app }: TestGateway): void {
  let cookie = '';
  network.fetch = async (input, init) => {
    const request = input instanceof Request ? input : new Request(new URL(String(input), location.origin), init);
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search}`);
    const headers = { ...Object.fromEntries(request.headers), host: location.host, ...(cookie !== '' && { cookie }) };
    const payload = await request.text();
    const reply = await app.inject({
      method: request.method as 'GET',
      url: pathname + search,
      headers,
      ...(payload !== '' && { payload }),
    });
    const [set] = [reply.headers['set-cookie'] ?? []].flat();
    if (set !== undefined) cookie = set.split(';')[0] ?? '';
    const type = String(reply.headers['content-type'] ?? '');
    const body = reply.statusCode === 204 ? null : reply.body;
    return new Response(body, { status: reply.statusCode, headers: { 'content-type': type, ...retryAfter(reply.headers) } });
  };
}

const retryAfter = ({ 'retry-after': seconds }: Record<string, unknown>) =>
  seconds === undefined ? undefined : { 'retry-after': String(seconds) };

async function signIn(credential: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-passerelle-console': '1' };
  const reply = await fetch('/manage/v1/session', { method: 'POST', headers, body: JSON.stringify({ credential }) });
  if (!reply.ok) throw new Error(`Signing in failed with ${reply.status}: ${await reply.text()}`);
}

/** Types a whole text into a field, as an operator would. */
export const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

export const press = (key: string) => fireEvent.keyDown(document.body, { key });

/** Clicks the button with this label as soon as it is there. */
export const click = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));

/** Opens the page's menu of further actions and chooses one. */
export async function choose(name: string) {
  await click('More');
  fireEvent.click(await screen.findByRole('menuitem', { name }));
}

/** The address below /console. */
export const address = () => location.pathname.replace('/console', '') + location.search;

/** Waits for something that happens outside of the page. */
export const until = eventually;

/** A gateway without demo data, with an endpoint whose receiver answers 500 until `fix` is called. */
export async function gatewayWithDeadLetters(
  count: number,
  settings: Record<string, string> = {},
  status: 'failed' | 'pending' = 'failed',
) {
  const gateway = await buildTestApp({ demo: false, settings: { WEBHOOK_RETRY_SECONDS: '0', ...settings } });
  let isBroken = true;
  const { url, received } = await receiver((response) => {
    if (isBroken) response.writeHead(500).end('the disk is full');
    else response.end('ok');
  });
  const created = await gateway.manage('POST', '/endpoints', { service: 'pos', url });
  const endpointId: string = created.body.data.id;
  for (let sent = 0; sent < count; sent += 1) await sendTest(gateway, endpointId);
  await until(async () => {
    const { body } = await gateway.manage('GET', `/ledger?endpoint_id=${endpointId}`);
    expect(body.data.deliveries[status]).toBe(count);
    expect(received).toHaveLength(count);
  });
  // They stand for events that happened: a recovery leaves tests out.
  await gateway.store.update('deliveries', { endpoint_id: endpointId }, { test: false });
  const fix = () => {
    isBroken = false;
  };
  return { gateway, endpointId, url, received, fix };
}

export async function sendTest(gateway: TestGateway, endpointId: string): Promise<{ id: string; event_id: string }> {
  const reply = await gateway.manage('POST', `/endpoints/${endpointId}/test`, { event_type: 'sale.completed' });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data;
}

/** Waits for the page's request whose path and query match, and returns its query. */
export async function queryOf(path: string): Promise<Record<string, string>> {
  const find = () => requests.findLast((request) => request.startsWith(`GET /manage/v1${path}?`));
  await until(() => expect(find()).toBeDefined());
  return Object.fromEntries(new URLSearchParams(find()?.split('?')[1]));
}

import { expect, test } from 'vitest';
import { environmentOfChild } from '../../contracts/tools/outgoing.ts';
import { listening } from '../listening.ts';
import { passerelle } from '../program.ts';
import { startBroker } from './broker.ts';
import { pactFile, v4 } from './pact-files.ts';

const right = {
  description: 'the inventory',
  providerStates: [{ name: 'an access token' }, { name: 'a store', params: { store_id: 'S-9' } }],
  request: { method: 'GET', path: '/inventory', query: { store_id: ['S-9'] }, headers: { Authorization: ['Bearer anything'] } },
  response: { status: 200 },
};

/** Starts a proxy that answers all by itself, and tells what it was asked. */
async function openProxy(answer = { status: 502, body: {} as object }) {
  const asked: string[] = [];
  const url = await listening((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  return { url, asked };
}

const environments: [string, (proxy: string) => Record<string, string>][] = [
  ['HTTP_PROXY', (proxy) => ({ HTTP_PROXY: proxy })],
  ['http_proxy', (proxy) => ({ http_proxy: proxy })],
  ['ALL_PROXY', (proxy) => ({ ALL_PROXY: proxy, all_proxy: proxy })],
  ['all of them, with exceptions of the user', (proxy) => ({ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: 'example.org' })],
];

test.each(environments)('verify and assumptions call this machine without the proxy of %s', async (_, environment) => {
  const proxy = await openProxy();
  const env = environment(proxy.url);
  const file = await pactFile(v4([right]));
  expect(await passerelle(['verify', '--pact', file], { env })).toMatchObject({ code: 0 });
  expect(await passerelle(['assumptions', '--pact', file], { env })).toMatchObject({ code: 0 });
  expect(proxy.asked).toEqual([]);
});

test.each(environments)(
  'a broker on this machine is asked without the proxy of %s, which gets no credentials',
  async (_, environment) => {
    const [proxy, broker] = [await openProxy(), await startBroker(v4([right]), 'geheim')];
    const env = { ...environment(proxy.url), PACT_BROKER_USERNAME: 'ci', PACT_BROKER_PASSWORD: 'geheim' };
    expect(await passerelle(['verify', 'pos', '--broker', broker.url], { env })).toMatchObject({ code: 0 });
    expect(proxy.asked).toEqual([]);
  },
);

test('a broker without pacts is named by its own address', async () => {
  const url: string = await listening((request, response) => {
    const links = { 'pb:provider-pacts-for-verification': { href: `${url}/pacts/{provider}`, templated: true } };
    response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'application/hal+json' });
    response.end(JSON.stringify(request.url === '/' ? { _links: links } : {}));
  });
  const { code, stdout, stderr } = await passerelle(['verify', 'pos', '--broker', url]);
  expect(code).toBe(2);
  const addresses = `${stdout}${stderr}`.match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [];
  expect(new Set(addresses)).toEqual(new Set([url]));
});

test('a provider elsewhere is called through the proxy, unless it is an exception', async () => {
  const proxy = await openProxy({ status: 200, body: {} });
  const file = await pactFile(v4([{ ...right, providerStates: [] }]));
  const args = ['verify', 'pos', '--pact', file, '--base-url', 'http://provider.invalid'];
  expect(await passerelle(args, { env: { HTTP_PROXY: proxy.url } })).toMatchObject({ code: 0 });
  expect(proxy.asked.join('\n')).toContain('provider.invalid');
  const before = proxy.asked.length;
  expect(await passerelle(args, { env: { HTTP_PROXY: proxy.url, NO_PROXY: 'provider.invalid' } })).toMatchObject({ code: 2 });
  expect(proxy.asked).toHaveLength(before);
});

test('a child process has this machine among the exceptions of its proxy', () => {
  const exceptions = (given: Record<string, string>) => {
    const { NO_PROXY, no_proxy } = environmentOfChild(given);
    expect(NO_PROXY).toBe(no_proxy);
    return no_proxy;
  };
  expect(exceptions({})).toBe('localhost,127.0.0.1,::1,[::1]');
  expect(exceptions({ NO_PROXY: 'a.example' })).toBe('a.example,localhost,127.0.0.1,::1,[::1]');
  expect(exceptions({ no_proxy: '*' })).toBe('*');
});

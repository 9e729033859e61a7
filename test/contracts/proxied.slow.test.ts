import { expect, onTestFinished, test, vi } from 'vitest';
import { askFor, basicLogin, proxyFor } from '../../contracts/tools/outgoing.ts';
import { listening } from '../listening.ts';
import { passerelle, runHere } from '../program.ts';
import { openStub } from '../stubs/partner.ts';
import { startProxy } from '../webhooks/connect-proxy.ts';
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

test('this machine is called without the proxy, whatever variable names it, and the proxy gets no credentials', async () => {
  const [proxy, broker, stub] = [await openProxy(), await startBroker(v4([right]), 'geheim'), await openStub('pos')];
  // Pact's verifier reads the first by itself, and Node's own calls read them if the last says so.
  const names = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [name, name.toUpperCase()]);
  const env = {
    ...Object.fromEntries(names.map((name) => [name, proxy.url])),
    NODE_USE_ENV_PROXY: '1',
    NO_PROXY: 'example.org',
    PACT_BROKER_USERNAME: 'ci',
    PACT_BROKER_PASSWORD: 'geheim',
    PASSERELLE_URL: stub.url,
    PASSERELLE_OPERATOR_TOKEN: 'geheim',
  };
  const pact = ['--pact', await pactFile(v4([right]))];
  const all = [
    ['verify', ...pact],
    ['assumptions', ...pact],
    ['verify', 'pos', '--broker', broker.url],
    ['trigger', 'sale.completed'],
  ];
  for (const args of all) expect(await passerelle(args, { env }), args.join(' ')).toMatchObject({ code: 0 });
  expect(proxy.asked).toEqual([]);
});

test('a redirect to this machine leaves the proxy, one away from it takes the proxy, and neither takes a login along', async () => {
  const asked: string[] = [];
  const headers = { authorization: basicLogin('ci', 's3cr3t') };
  let target = '';
  const here: string = await listening((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://away.invalid/end' });
    response.end(`from this machine, ${request.headers.authorization}`);
  });
  const proxy = await listening((request, response) => {
    asked.push(`${request.url} ${request.headers.authorization}`);
    if (request.url === 'http://away.invalid/start') response.writeHead(302, { location: target });
    response.end('from the proxy');
  });
  vi.stubEnv('HTTP_PROXY', proxy);
  onTestFinished(() => void vi.unstubAllEnvs());
  target = `${here}/here`;
  const read = async (url: string) => (await askFor(url, { headers }, 'It')).bytes.toString();
  expect(await read('http://away.invalid/start')).toBe('from this machine, undefined');
  expect(asked).toEqual([`http://away.invalid/start ${headers.authorization}`]);
  expect(await read(`${here}/away`)).toBe('from the proxy');
  expect(asked.at(-1)).toBe('http://away.invalid/end undefined');
});

test('an address on which a program listens everywhere is this machine', async () => {
  const [proxy, url] = [await openProxy(), await listening((_, response) => response.writeHead(200).end('{}'))];
  const file = await pactFile(v4([{ ...right, providerStates: [] }]));
  const args = ['verify', 'pos', '--pact', file, '--base-url', url.replace('127.0.0.1', '0.0.0.0')];
  expect(await runHere(args, { env: { HTTP_PROXY: proxy.url } })).toMatchObject({ code: 0 });
  expect(proxy.asked).toEqual([]);
});

test.each([
  [404, '--provider-name'],
  [403, '/pacts/pos/fv answered 403 Forbidden.'],
])('a broker whose pacts are answered with %d is named by its own address', async (status, says) => {
  const url: string = await listening((request, response) => {
    const links = { 'pb:provider-pacts-for-verification': { href: `${url}/pacts/{provider}/fv`, templated: true } };
    response.writeHead(request.url === '/' ? 200 : status, { 'content-type': 'application/hal+json' });
    response.end(JSON.stringify(request.url === '/' ? { _links: links } : {}));
  });
  const { code, stdout, stderr } = await runHere(['verify', 'pos', '--broker', url]);
  expect(code).toBe(2);
  const text = `${stdout}${stderr}`;
  expect(text).toContain(says);
  expect(text.match(/http:\/\/127\.0\.0\.1:\d+/g)?.every((address) => address === url) ?? true).toBe(true);
});

test('a provider elsewhere is called through the proxy, unless it is an exception', async () => {
  const proxy = await openProxy({ status: 200, body: {} });
  const file = await pactFile(v4([{ ...right, providerStates: [] }]));
  const args = ['verify', 'pos', '--pact', file, '--base-url', 'http://provider.invalid'];
  expect(await runHere(args, { env: { HTTP_PROXY: proxy.url } })).toMatchObject({ code: 0 });
  expect(proxy.asked.join('\n')).toContain('provider.invalid');
  const before = proxy.asked.length;
  const env = { HTTP_PROXY: proxy.url, NO_PROXY: 'provider.invalid' };
  expect(await runHere(args, { env })).toMatchObject({ code: 2 });
  expect(proxy.asked).toHaveLength(before);
});

test.each([
  ['a broker', 'HTTPS_PROXY', ['verify', 'pos', '--broker', 'https://away.invalid']],
  ['a provider', 'ALL_PROXY', ['verify', 'pos', '--base-url', 'https://away.invalid']],
  ['a pact', 'https_proxy', ['verify', 'pos', '--pact', 'https://away.invalid/pact.json']],
])('a proxy that does not lead to %s is named, without its password', async (_, variable, args) => {
  const proxy = await startProxy();
  proxy.conduct = () => 403;
  const { host } = new URL(proxy.url);
  const file = await pactFile(v4([{ ...right, providerStates: [] }]));
  const pact = args.includes('--base-url') ? ['--pact', file] : [];
  const env = { [variable]: proxy.url };
  const { code, stdout, stderr } = await runHere([...args, ...pact], { env });
  expect(code).toBe(2);
  const said = `${stdout}${stderr}`.replaceAll(/\s+/g, ' ');
  expect(said).toMatch(new RegExp(`the proxy http://${host} of ${variable} answered 403 to CONNECT\\)?\\.(?!\\.)`));
  expect(said).not.toContain('s3cr3t');
  expect(new Set(proxy.asked.map(({ target }) => target))).toEqual(new Set(['away.invalid:443']));
});

test.each(['http://ci:s3cr3t/x@proxy.example', 'ci:s3cr3t/x@proxy.example', 'http://ci:s3cr3t%x@proxy.example', 'ftp://s3cr3t'])(
  'the proxy %s cannot be used, and is not printed',
  (proxy) => {
    const use = () => proxyFor('http://away.invalid', { HTTP_PROXY: proxy });
    expect(use).toThrow(/^HTTP_PROXY must be the address of a proxy/);
    expect(use).not.toThrow('s3cr3t');
  },
);

test.each([
  // This machine, whatever the environment says.
  ['http://localhost:3000', {}, undefined],
  ['http://shop.localhost', {}, undefined],
  ['http://127.8.9.1', {}, undefined],
  ['http://[::1]:3000', {}, undefined],
  ['http://[::ffff:127.0.0.1]', {}, undefined],
  ['http://0.0.0.0:3000', {}, undefined],
  ['http://[::]:3000', {}, undefined],
  ['http://0/', {}, undefined],
  // The variables.
  ['http://away.example', {}, 'ALL_PROXY'],
  ['https://away.example', {}, 'ALL_PROXY'],
  ['https://away.example', { HTTP_PROXY: 'http://p' }, 'HTTP_PROXY'],
  ['https://away.example', { HTTP_PROXY: 'http://p', HTTPS_PROXY: 'p:3128', https_proxy: '' }, 'HTTPS_PROXY'],
  ['http://away.example', { HTTPS_PROXY: 'http://p', all_proxy: 'socks5h://p' }, 'all_proxy'],
  // The exceptions.
  ['http://away.example', { NO_PROXY: '*' }, undefined],
  ['http://away.example', { NO_PROXY: 'other.example away.example' }, undefined],
  ['http://a.away.example', { NO_PROXY: 'other.example, AWAY.example' }, undefined],
  ['http://a.away.example', { NO_PROXY: '.away.example' }, undefined],
  ['http://a.away.example', { NO_PROXY: '*.away.example' }, undefined],
  ['http://away.example', { NO_PROXY: '*.away.example' }, 'ALL_PROXY'],
  ['http://faraway.example', { NO_PROXY: 'away.example' }, 'ALL_PROXY'],
  ['https://away.example', { NO_PROXY: 'away.example:443' }, undefined],
  ['http://away.example', { NO_PROXY: 'away.example:443' }, 'ALL_PROXY'],
  ['http://away.example', { NO_PROXY: 'away.example', no_proxy: '' }, 'ALL_PROXY'],
  ['http://[fd00::1]', { NO_PROXY: 'fd00::1' }, undefined],
  ['http://[fd00::1]:81', { NO_PROXY: '[fd00::1]:81' }, undefined],
  ['http://[fd00::1]', { NO_PROXY: '[fd00::1]:81' }, 'ALL_PROXY'],
])('%s with %j is called through %s', (url, environment, variable) => {
  expect(proxyFor(url, { ALL_PROXY: 'http://all', ...environment })?.variable).toBe(variable);
});

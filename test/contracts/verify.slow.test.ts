import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { newSigningSecret } from '../../gateway/webhooks/sending/sign.ts';
import { listening } from '../listening.ts';
import { folderOf, given, messagesOf, older, outcomesOf, reads, v4, verifyPact } from './pact-files.ts';
import { serve } from './server.ts';

const inStore = (store: string) => given('an access token', ['a store', { store_id: store }]);
const token = given('an access token');
const headers = { Authorization: ['Bearer x'] };
const matching = (places: Record<string, object>) =>
  Object.fromEntries(Object.entries(places).map(([place, rule]) => [place, { combine: 'AND', matchers: [rule] }]));
const regex = (expression: string) => ({ match: 'regex', regex: expression });
const json = { 'content-type': 'application/json' };

test.each([
  ['2.0.0', { providerState: 'an access token', query: 'per_page=5' }, { '$.body': { match: 'type' } }],
  ['3.0.0', { ...token, query: { per_page: ['5'] } }, { body: matching({ $: { match: 'type' } }) }],
])("a partner's pact of version %s verifies, with paths from the base address", async (version, { query, ...states }, rules) => {
  const interaction = {
    description: 'structures',
    ...states,
    request: { method: 'GET', path: '/structures', headers: { Authorization: 'Bearer abc' }, query },
    response: { status: 200, body: { data: [], meta: { page: 1, per_page: 5 } }, matchingRules: rules },
  };
  const pact = older([interaction], { provider: 'Social-Cohesion Management API', version });
  const { verification } = await verifyPact(pact, 'cohesion');
  expect(verification.interactions).toMatchObject([{ outcome: 'verified', problems: [], consumer: 'partner' }]);
});

test('one of version 4 does: HTTP and messages in one run; a pending interaction that does not match is no failure', async () => {
  const message = {
    type: 'Asynchronous/Messages',
    description: 'stock is low',
    ...given('stock fell to its threshold'),
    contents: { contentType: 'application/json', encoded: false, content: { event: 'inventory.low' } },
    metadata: { 'X-SERVICE-Signature': `sha256=${'a'.repeat(64)}` },
    matchingRules: { metadata: matching({ 'X-SERVICE-Signature': regex('^sha256=[0-9a-f]{64}$') }) },
  };
  const one = { ...reads('the inventory'), ...inStore('A') };
  const { verification } = await verifyPact(v4([one, message, { ...one, pending: true, response: { status: 404 } }]));
  expect(verification.interactions).toMatchObject([
    { kind: 'http', outcome: 'verified', problems: [] },
    { kind: 'message', outcome: 'verified', problems: [] },
    { outcome: 'pending', pendingBecause: 'pact', problems: [{ kind: 'status', actual: '200' }] },
  ]);
});

test('a mismatch has its place, the expected and the actual value, and what was sent and received', async () => {
  const response = { status: 404, headers: { 'Content-Type': ['text/xml'] }, body: { content: { success: 'yes' } } };
  const { verification } = await verifyPact(v4([{ ...reads('wrong', 'A'), ...inStore('A'), response }]));
  const [wrong] = verification.interactions;
  expect(wrong?.problems[0]).toMatchObject({ kind: 'status', expected: '404', actual: '200', documented: expect.anything() });
  expect(wrong?.problems).toContainEqual(expect.objectContaining({ kind: 'header', path: 'Content-Type', expected: 'text/xml' }));
  expect(wrong?.exchange).toMatchObject({
    request: { method: 'GET', path: '/api/v1/inventory', query: 'store_id=A', headers: { authorization: 'Bearer [redacted]' } },
    reply: { status: 200 },
  });
});

test('expressions, lists and numbers are shown as they were compared', async () => {
  const list = (description: string, { body = {}, header = {} }) => ({
    description,
    ...given('an access token', 'an indicator'),
    request: { method: 'GET', path: '/api/v1/indicateurs', headers },
    response: {
      status: 200,
      headers: { 'Content-Type': ['application/json; charset=utf-8'] },
      body: { content: { data: [{ intitule: 'Taux de participation' }] } },
      matchingRules: { body: matching(body), header: matching(header) },
    },
  });
  const interactions = [
    list('a part', { body: { '$.data[0].intitule': regex('^Taux') } }),
    list('a part of a header', { header: { 'Content-Type': regex('application/json') } }),
    list('a broken expression', { body: { '$.data[0].intitule': regex('^Taux(') } }),
    list('a list', { body: { '$.data': { match: 'type', min: 2 } } }),
  ];
  const { interactions: found } = (await verifyPact(v4(interactions), 'cohesion')).verification;
  const message = expect.stringContaining('"^Taux" matches only a part of it');
  expect(found[0]?.problems[0]).toMatchObject({ expected: 'text that matches ^Taux', message });
  expect(found[1]?.problems[0]).toMatchObject({ expected: 'text that matches application/json' });
  expect(found[2]).toMatchObject({ outcome: 'failed', couldNotRun: true });
  expect(found[3]?.problems[0]?.actual).toMatch(/^\[\{"alert_state":/);

  const url = await serve((_, response) => response.writeHead(200, json).end('{"total": 4500}'));
  const written = (total: string) => {
    const pact = older([{ ...reads('a total'), response: { status: 200, body: { total: 'NUMBER' } } }]);
    return JSON.stringify(pact).replace('"NUMBER"', total);
  };
  const { pacts } = await readPacts([await folderOf({ 'a.json': written('4500.0'), 'b.json': written('4500') })]);
  const { verification } = await verify({ provider: 'pos', from: pacts, at: { baseUrl: url } });
  expect(outcomesOf(verification)).toEqual(['failed', 'verified']);
});

test('a state that fails fails only its own interaction, and every wrong state is named', async () => {
  const { verification } = await verifyPact(
    older([
      { ...reads('unknown'), ...given('an acess token', ['a store', { store_id: 'A' }], 'a payed sale', 'xyz', 'indicators') },
      { ...reads('B of its own', 'B'), ...inStore('B') },
      { ...reads('parameters'), ...given(['a store', { shop: 'A' }]) },
      { ...reads('impossible'), ...given('an access token', ['a paid sale', { total: 7 }]) },
      { ...reads('nobody created A here'), ...token },
      { ...reads('twice'), ...inStore('A') },
      { ...reads('twice', 'B'), ...inStore('A') },
    ]),
  );
  expect(outcomesOf(verification)).toEqual(['failed', 'verified', 'failed', 'failed', 'failed', 'verified', 'failed']);
  expect(messagesOf(verification)).toMatchObject({
    unknown: [
      'pos has no provider state "an acess token". Did you mean "an access token"? passerelle states lists all.',
      expect.stringContaining('"a payed sale". Did you mean "a paid sale"?'),
      'pos has no provider state "xyz". passerelle states lists all.',
      '"indicators" is a provider state of cohesion, not of pos. passerelle states lists all.',
    ],
    parameters: [expect.stringMatching(/parameters of the state "a store" are not valid:.*shop/s)],
    impossible: [expect.stringContaining('"a paid sale" could not be set up: total must be a multiple of')],
    'nobody created A here': ['expected 200 but was 404'],
  });
});

test('a pact of many interactions, which several runs of the verifier share, gets each verdict once and in its order', async () => {
  // Every seventh is red: nobody created its store.
  const isRed = (at: number) => at % 7 === 3;
  const many = Array.from({ length: 95 }, (_, at) => ({
    ...reads(`number ${at}`, `S-${at}`),
    ...inStore(isRed(at) ? 'other' : `S-${at}`),
  }));
  const { verification, recorded } = await verifyPact(older(many));
  expect(verification.unfinished).toEqual([]);
  expect(verification.interactions.map(({ description, outcome }) => [description, outcome])).toEqual(
    many.map(({ description }, at) => [description, isRed(at) ? 'failed' : 'verified']),
  );
  expect(recorded.map(({ index }) => index)).toEqual(many.map((_, at) => at));
});

test('generators get values and parameters of states; a value that no state returned is noted', async () => {
  const store = given('an access token', ['a store', { store_id: 'S-7', products: [{ product_id: 'P' }] }]);
  const asking = (description: string, example: string, expression: string) => {
    const { request, ...rest } = reads(description, example);
    return {
      ...rest,
      ...store,
      request: { ...request, generators: { query: { store_id: { type: 'ProviderState', expression } } } },
    };
  };
  const { verification } = await verifyPact(
    older([asking('right', 'example', 'store_id'), asking('by luck', 'S-7', `\${storeid}`), asking('alone', 'S-7', 'magasin')]),
  );
  expect(outcomesOf(verification)).toEqual(['verified', 'verified', 'verified']);
  expect(verification.interactions[0]?.exchange?.request?.query).toBe('store_id=S-7');
  expect(verification.notices).toEqual([
    expect.stringMatching(
      /^by luck – No state returned \$\{storeid\}, so the pact's example was sent\. They returned .*store_id/,
    ),
    expect.stringMatching(/^alone – No state returned \$\{magasin\}, /),
  ]);
});

test('HTTP interactions and messages of one V3 file are verified; without a state, a message says which event it is about', async () => {
  const message = (description: string, contents: object, more: object = {}) => ({ description, contents, ...more });
  const messages = [
    message('un stock bas', { event: 'inventory.low' }, given('stock fell to its threshold')),
    message('autre', { event: 'other' }, given('stock fell to its threshold')),
    message('par son contenu', { event: 'inventory.low' }),
    message('par ses mots: inventory.low', { data: {} }, { matchingRules: { body: matching({ '$.data': { match: 'type' } }) } }),
    message('faute', { event: 'inventory.lo' }),
    message('rien', { id: 1 }),
  ];
  const pact = { ...older([{ ...reads('the inventory'), ...inStore('A') }]), messages };
  const { verification } = await verifyPact(pact);
  expect(verification.interactions.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual([
    ...['http verified', 'message verified', 'message failed', 'message verified', 'message verified'],
    ...['message failed', 'message failed'],
  ]);
  expect(messagesOf(verification)).toMatchObject({
    faute: [expect.stringMatching(/"inventory\.lo".*Did you mean "inventory\.low"/)],
    rien: [expect.stringContaining('does not say which event it is about')],
  });
});

test('a provider at a URL gets its own states in order, their teardown in reverse, its token and no header of ours', async () => {
  const asked: object[] = [];
  const url = await serve((request, response, body) => {
    const isState = request.url === '/states';
    const own = Object.keys(request.headers).filter((name) => name.includes('passerelle'));
    asked.push(isState ? JSON.parse(body) : { url: request.url, token: request.headers.authorization, own });
    response.writeHead(200, json).end(isState ? '{"token":"of-the-state"}' : '{}');
  });
  const pact = older([{ ...reads('theirs'), ...given('un jeton', ['un magasin', { code: 7 }]) }, reads('without a state')]);
  const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: `${url}/base/`, stateUrl: `${url}/states` } });
  expect(verification).toMatchObject({ target: { kind: 'address' } });
  expect(outcomesOf(verification)).toEqual(['verified', 'verified']);
  expect(asked).toEqual([
    { action: 'setup', state: 'un jeton', params: {} },
    { action: 'setup', state: 'un magasin', params: { code: 7 } },
    { url: '/base/api/v1/inventory?store_id=A', token: 'Bearer of-the-state', own: [] },
    { action: 'teardown', state: 'un magasin', params: { code: 7 } },
    { action: 'teardown', state: 'un jeton', params: {} },
    { url: '/base/api/v1/inventory?store_id=A', token: 'Bearer xyz', own: [] },
  ]);

  const forgotten = older([{ ...reads('forgotten'), ...given('an acces token', 'un magasin') }]);
  const without = (await verifyPact(forgotten, 'pos', { at: { baseUrl: url } })).verification;
  expect(without.interactions).toMatchObject([{ outcome: 'failed', couldNotRun: true }]);
  expect(messagesOf(without).forgotten).toEqual([
    expect.stringMatching(/"an acces token".*pass --state-url.*"an access token"/),
    expect.stringMatching(/"un magasin".*pass --state-url\./),
  ]);
});

const compressions: Record<string, (body: Buffer) => Buffer> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
  deflate: deflateSync,
  'deflate, gzip': (body) => gzipSync(deflateSync(body)),
};

test('a provider may compress its replies, except for what is not compressed or decodes to a huge reply', async () => {
  const body = '{"ville":"Bouaké"}';
  type Compressed = [encoding: string, body?: Buffer | string];
  const whole = Object.entries(compressions).map(([name, code], at): [string, Compressed] => [
    `/${at}`,
    [name, code(Buffer.from(body))],
  ]);
  const replies: Record<string, Compressed> = {
    ...Object.fromEntries(whole),
    '/raw': ['deflate', deflateRawSync(body)],
    '/nothing': ['gzip'],
    '/broken': ['gzip', 'not compressed'],
    '/huge': ['gzip', gzipSync(Buffer.alloc(65 * 2 ** 20))],
  };
  const url = await serve(({ url: path }, response) => {
    const [encoding = '', text] = replies[path] ?? [];
    response.writeHead(path === '/nothing' ? 204 : 200, { ...json, 'content-encoding': encoding, vary: 'Accept-Encoding' });
    response.end(text);
  });
  const expected = { status: 200, headers: { Vary: 'Accept-Encoding' }, body: JSON.parse(body) };
  const pact = older(
    Object.keys(replies).map((path) => ({
      description: path,
      request: { method: 'GET', path },
      response: path === '/nothing' ? { status: 204 } : expected,
    })),
  );
  const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: url } });
  const failed = verification.interactions.filter(({ outcome }) => outcome === 'failed');
  expect(failed).toMatchObject([
    { description: '/broken', problems: [{ kind: 'provider', message: expect.stringContaining('cannot be decoded') }] },
    { description: '/huge', problems: [{ message: expect.stringContaining('has more than 64 MiB when it is decoded') }] },
  ]);
  expect(verification.interactions[0]?.exchange?.reply?.body).toBe(body);
  expect(verification.unfinished).toEqual([]);
});

test('a receiver that redirects fails, whatever the pact expects, because the gateway does not follow', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serve((request, response) => {
    asked.push(request.url);
    response.writeHead(302, { location: '/done' }).end();
  });
  const sends = (status: number) => ({
    description: String(status),
    request: {
      method: 'POST',
      path: '/hook',
      headers: { 'Content-Type': 'application/json' },
      body: { event: 'sale.completed' },
    },
    response: { status },
  });
  const pact = older([sends(200), sends(302)], { provider: 'webhook-receiver', version: '2.0.0' });
  const at = { url: `${url}/hook`, secret: newSigningSecret() };
  const { verification } = await verifyPact(pact, 'webhook-receiver', { at });
  const message = expect.stringContaining('does not follow redirects');
  const failed = { outcome: 'failed', problems: [{ kind: 'status', actual: '302', message }] };
  expect(verification.interactions).toMatchObject([failed, failed]);
  expect(asked).toEqual(['/hook', '/hook']);
});

test('the pact of a receiver verifies with one of the samples: every request is signed anew', async () => {
  const secret = newSigningSecret();
  const sample = fileURLToPath(new URL('../../receivers/samples/http.ts', import.meta.url));
  const child = spawn(process.execPath, [sample], { env: { ...process.env, SECRET: secret, PORT: '0' } });
  onTestFinished(() => void child.kill());
  const [output] = (await once(child.stdout, 'data')) as [Buffer];
  const { port } = JSON.parse(output.toString().replace('listening ', ''));
  const { pacts } = await readPacts(['contracts/pacts/passerelle-webhook-receiver.json']);
  const at = { url: `http://127.0.0.1:${port}/hook`, secret };
  const input = { provider: 'webhook-receiver', from: pacts } as const;
  expect(outcomesOf((await verify({ ...input, at })).verification)).toEqual(['verified', 'verified']);
  const foreign = await verify({ ...input, at: { ...at, secret: newSigningSecret() } });
  expect(foreign.verification.interactions.map(({ problems }) => problems[0]?.actual)).toEqual(['401', '401']);
});

test.each([
  ['http://127.0.0.1:1/states', true],
  ['/500', true],
  ['/404', true],
  ['/302', true],
  ['/400', false],
  ['/422', false],
])('a state URL %s fails the interaction, which was not verified: %s', async (stateUrl, couldNotRun) => {
  const url = await serve((request, response) => {
    response.writeHead(Number(request.url.slice(1)) || 200, { location: '/login' }).end();
  });
  const pact = older([{ ...reads('one'), ...given('un magasin') }]);
  const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: url, stateUrl: new URL(stateUrl, url).href } });
  expect(verification.interactions).toMatchObject([
    { outcome: 'failed', problems: [{ kind: 'state', message: expect.stringContaining('un magasin') }] },
  ]);
  expect(verification.interactions[0]?.couldNotRun ?? false).toBe(couldNotRun);
});

/** The processes of Pact's verifier that this one has started. */
function verifierProcesses(): number[] {
  const threads = readdirSync('/proc/self/task').map((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8'));
  const pids = threads.flatMap((children) => children.split(' ').filter(Boolean));
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('pact-process')).map(Number);
}

test.skipIf(!existsSync('/proc/self/task'))(
  'a run has the process of the one before; one that is killed is named, and replaced',
  async () => {
    const pact = older([{ ...reads('the inventory'), ...inStore('A') }]);
    expect(outcomesOf((await verifyPact(pact)).verification)).toEqual(['verified']);
    const before = verifierProcesses();
    expect(outcomesOf((await verifyPact(pact)).verification)).toEqual(['verified']);
    expect(verifierProcesses()).toEqual(before);

    const killed: number[] = [];
    const kill = () => killed.push(...verifierProcesses().filter((pid) => process.kill(pid, 'SIGKILL')));
    const gone = () => expect.poll(() => killed.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
    const at = { baseUrl: await serve(kill) };
    await expect(verifyPact(older([reads('the inventory')]), 'pos', { at })).rejects.toThrow("Pact's verifier ended (SIGKILL).");
    await gone();
    expect(outcomesOf((await verifyPact(pact)).verification)).toEqual(['verified']);
    kill();
    await gone();
    expect(outcomesOf((await verifyPact(pact)).verification)).toEqual(['verified']);
  },
);

test('pacts are downloaded with the credentials of the URL, and deleted afterwards', async () => {
  const asked: (string | undefined)[] = [];
  const url = await listening((request, response) => {
    asked.push(request.headers.authorization);
    response.end(JSON.stringify(older([{ ...reads('the inventory'), ...inStore('A') }])));
  });
  const { pacts, close } = await readPacts([`${url.replace('://', '://ci:secret@')}/till.json`]);
  expect(pacts).toMatchObject([{ source: `${url}/till.json`, consumer: 'partner' }]);
  expect(asked).toEqual([`Basic ${Buffer.from('ci:secret').toString('base64')}`]);
  expect(outcomesOf((await verify({ provider: 'pos', from: pacts })).verification)).toEqual(['verified']);
  await close();
  expect(existsSync(pacts[0]?.file ?? '')).toBe(false);
});

test('a download is aborted at the size limit', async () => {
  const url = await listening((_, response) => {
    const chunk = Buffer.alloc(1_000_000, ' ');
    const more = () => {
      while (response.write(chunk));
    };
    response.on('drain', more);
    more();
  });
  await expect(readPacts([`${url}/endless.json`])).rejects.toThrow('answered with more than 20000000 bytes');
});

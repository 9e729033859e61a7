import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { verify } from '../../contracts/tools/verification/run.ts';
import { readPacts } from '../../contracts/tools/verification/sources.ts';
import { newSigningSecret } from '../../gateway/webhooks/sending/sign.ts';
import { fileWith } from '../program.ts';
import { verifyPact } from './pact-files.ts';
import { serve } from './server.ts';

/** Pacts as Pact's PHP, Python and JVM libraries write them, not as our own consumers do. */
const pactV3 = (interactions: object[], more: object = {}) => ({
  consumer: { name: 'caisse-php' },
  provider: { name: 'pos' },
  interactions,
  ...more,
  metadata: { 'pact-php': { version: '10.0.0' }, pactRust: { ffi: '0.4.22' }, pactSpecification: { version: '3.0.0' } },
});
const given = (...states: (string | [name: string, params: object])[]) => ({
  providerStates: states.map((state) => (typeof state === 'string' ? { name: state } : { name: state[0], params: state[1] })),
});
const readsInventory = (description: string, store: string, status: number) => ({
  description,
  request: { method: 'GET', path: '/api/v1/inventory', query: { store_id: [store] }, headers: { Authorization: 'Bearer xyz' } },
  response: { status },
});

describe('several states', () => {
  test('an interaction with a state that fails changes no other interaction, and every one is explained', async () => {
    const pact = pactV3([
      {
        ...readsInventory('first unknown', 'A', 200),
        ...given('an acess token', ['a store', { store_id: 'A' }], 'a payed sale'),
      },
      // Alone it is green: store B exists in its own store only.
      { ...readsInventory('store B', 'B', 200), ...given('an access token', ['a store', { store_id: 'B' }]) },
      { ...readsInventory('impossible', 'A', 200), ...given(['a paid sale', { total: 7 }], 'an access token', ['a store', {}]) },
      // Alone it is red: nobody created store A here.
      { ...readsInventory('store A', 'A', 200), ...given('an access token') },
    ]);
    const { verification } = await verifyPact(pact);
    expect(verification.interactions.map(({ description, outcome }) => [description, outcome])).toEqual([
      ['first unknown', 'failed'],
      ['store B', 'verified'],
      ['impossible', 'failed'],
      ['store A', 'failed'],
    ]);
    const [unknown, , impossible, missing] = verification.interactions;
    expect(unknown?.problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('"an acess token". Did you mean "an access token"'),
      expect.stringContaining('"a payed sale". Did you mean "a paid sale"'),
    ]);
    expect(impossible?.problems[0]?.message).toContain('"a paid sale" could not be set up');
    expect(missing?.problems).toMatchObject([{ kind: 'status', documented: expect.anything() }]);
    expect(missing?.exchange?.request).toMatchObject({ query: 'store_id=A' });
  });

  test('a pact of many interactions, which several runs of the verifier share, gets each verdict once and in its order', async () => {
    // Every seventh is red: nobody created its store.
    const isRed = (at: number) => at % 7 === 3;
    const many = Array.from({ length: 95 }, (_, at) => ({
      ...readsInventory(`number ${at}`, `S-${at}`, 200),
      ...given('an access token', ['a store', { store_id: isRed(at) ? 'other' : `S-${at}` }]),
    }));
    const { verification, recorded } = await verifyPact(pactV3(many));
    expect(verification.unfinished).toEqual([]);
    expect(verification.interactions.map(({ description, outcome }) => [description, outcome])).toEqual(
      many.map(({ description }, at) => [description, isRed(at) ? 'failed' : 'verified']),
    );
    expect(recorded.map(({ index }) => index)).toEqual(many.map((_, at) => at));
  });

  test('values of all states, and the parameters of states, are available to generators', async () => {
    const pact = {
      ...pactV3([
        {
          ...readsInventory('generated', 'example', 200),
          ...given('an access token', ['a store', { store_id: 'S-7', products: [{ product_id: 'P' }] }]),
        },
      ]),
    };
    const [interaction] = pact.interactions as { request: Record<string, unknown> }[];
    Object.assign(interaction?.request ?? {}, {
      generators: { query: { store_id: { type: 'ProviderState', expression: 'store_id' } } },
    });
    const { verification } = await verifyPact(pact);
    expect(verification.interactions).toMatchObject([{ outcome: 'verified', exchange: { request: { query: 'store_id=S-7' } } }]);
  });

  test("the partner's handler gets the states of the pact, in order, and their teardown in reverse order", async () => {
    const asked: object[] = [];
    const url = await serve((request, response, body) => {
      if (request.url === '/states') asked.push(JSON.parse(body));
      else asked.push({ url: request.url, own: Object.keys(request.headers).filter((name) => name.includes('passerelle')) });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    const pact = pactV3([
      { ...readsInventory('theirs', 'A', 200), ...given('un jeton', ['un magasin', { code: 7 }]) },
      readsInventory('without a state', 'A', 200),
    ]);
    const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: url, stateUrl: `${url}/states` } });
    expect(verification.interactions.map(({ outcome }) => outcome)).toEqual(['verified', 'verified']);
    expect(asked).toEqual([
      { action: 'setup', state: 'un jeton', params: {} },
      { action: 'setup', state: 'un magasin', params: { code: 7 } },
      { url: '/api/v1/inventory?store_id=A', own: [] },
      { action: 'teardown', state: 'un magasin', params: { code: 7 } },
      { action: 'teardown', state: 'un jeton', params: {} },
      { url: '/api/v1/inventory?store_id=A', own: [] },
    ]);
  });

  test('without --state-url, every state is named, with the nearest known one', async () => {
    const url = await serve((_, response) => response.end('{}'));
    const pact = pactV3([{ ...readsInventory('forgotten', 'A', 200), ...given('an acces token', 'a stor') }]);
    const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: url } });
    expect(verification.interactions).toMatchObject([{ outcome: 'failed', couldNotRun: true }]);
    expect(verification.interactions[0]?.problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/"an acces token".*pass --state-url.*"an access token"/),
      expect.stringMatching(/"a stor".*pass --state-url.*"a store"/),
    ]);
  });

  test('two interactions with the same description and states keep their own verdicts', async () => {
    const states = given('an access token', ['a store', { store_id: 'A' }]);
    const pact = pactV3([
      { ...readsInventory('the inventory', 'A', 200), ...states },
      { ...readsInventory('the inventory', 'B', 200), ...states },
      { ...readsInventory('the inventory', 'A', 200), ...states },
    ]);
    const { verification } = await verifyPact(pact);
    expect(verification.interactions.map(({ outcome, exchange }) => [outcome, exchange?.request?.query])).toEqual([
      ['verified', 'store_id=A'],
      ['failed', 'store_id=B'],
      ['verified', 'store_id=A'],
    ]);
  });

  test('HTTP interactions and messages of one V3 file are all verified', async () => {
    const message = {
      description: 'un stock bas',
      ...given('stock fell to its threshold'),
      contents: { event: 'inventory.low' },
    };
    const pact = pactV3(
      [{ ...readsInventory('the inventory', 'A', 200), ...given('an access token', ['a store', { store_id: 'A' }]) }],
      {
        messages: [message, { ...message, description: 'autre', contents: { event: 'other' } }],
      },
    );
    const { verification } = await verifyPact(pact);
    expect(verification.interactions.map(({ description, kind, outcome }) => [description, kind, outcome])).toEqual([
      ['the inventory', 'http', 'verified'],
      ['un stock bas', 'message', 'verified'],
      ['autre', 'message', 'failed'],
    ]);
  });
});

test('a number keeps the form in which the pact writes it', async () => {
  const url = await serve((_, response) => response.setHeader('content-type', 'application/json').end('{"total": 4500}'));
  const written = (total: string) =>
    JSON.stringify(
      pactV3([{ ...readsInventory('a total', 'A', 200), response: { status: 200, body: { total: 'NUMBER' } } }]),
    ).replace('"NUMBER"', total);
  const { pacts } = await readPacts([await fileWith(written('4500.0'), 'a.json'), await fileWith(written('4500'), 'b.json')]);
  const { verification } = await verify({ provider: 'pos', from: pacts, at: { baseUrl: url } });
  expect(verification.interactions.map(({ outcome }) => outcome)).toEqual(['failed', 'verified']);
});

describe('redirects', () => {
  const hook = {
    consumer: { name: 'passerelle' },
    provider: { name: 'webhook-receiver' },
    interactions: [
      {
        description: 'sale.completed',
        request: {
          method: 'POST',
          path: '/hook',
          headers: { 'Content-Type': 'application/json' },
          body: { event: 'sale.completed' },
        },
        response: { status: 200 },
      },
    ],
    metadata: { pactSpecification: { version: '2.0.0' } },
  };

  test.each([
    [301, 200],
    [302, 200],
    [307, 200],
    [302, 302],
  ])('a receiver that answers %d fails a pact that expects %d, as with the gateway', async (answered, expected) => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      if (request.url === '/hook') response.writeHead(answered, { location: '/done' }).end();
      else response.end();
    });
    const [interaction] = hook.interactions;
    const pact = { ...hook, interactions: [{ ...interaction, response: { status: expected } }] };
    const { verification } = await verifyPact(pact, 'webhook-receiver', {
      at: { url: `${url}/hook`, secret: newSigningSecret() },
    });
    expect(verification.interactions).toMatchObject([
      {
        outcome: 'failed',
        problems: [{ kind: 'status', actual: String(answered), message: expect.stringContaining('does not follow redirects') }],
      },
    ]);
    expect(asked).toEqual(['/hook']);
  });

  test("an API's redirect is not followed either", async () => {
    const url = await serve((request, response) => {
      if (request.url === '/old') response.writeHead(302, { location: `${url}/new` }).end();
      else response.end();
    });
    const asks = (description: string, response: object) => ({ description, request: { method: 'GET', path: '/old' }, response });
    const pact = pactV3([asks('followed', { status: 200 }), asks('expected', { status: 302 })]);
    const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: url } });
    expect(verification.interactions).toMatchObject([
      {
        outcome: 'failed',
        problems: [{ kind: 'status', actual: '302' }],
        exchange: { reply: { headers: { location: `${url}/new` } } },
      },
      { outcome: 'verified' },
    ]);
  });
});

test.each([
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['deflate, gzip', (body: Buffer) => gzipSync(deflateSync(body))],
])('a provider that compresses (%s) is verified', async (encoding, compress) => {
  const json = Buffer.from('{"ville":"Bouaké"}');
  const url = await serve((request, response) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding, vary: 'Accept-Encoding' };
    if (request.url === '/broken') response.writeHead(200, headers).end('not compressed');
    else if (request.url === '/nothing') response.writeHead(204, headers).end();
    else response.writeHead(200, headers).end(compress(json));
  });
  const asks = (path: string, response: object) => ({ description: path, request: { method: 'GET', path }, response });
  const pact = pactV3([
    asks('/town', { status: 200, headers: { Vary: 'Accept-Encoding' }, body: { ville: 'Bouaké' } }),
    asks('/nothing', { status: 204 }),
    asks('/broken', { status: 200, body: { ville: 'Bouaké' } }),
  ]);
  const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: url } });
  expect(verification.interactions).toMatchObject([
    { outcome: 'verified', exchange: { reply: { body: '{"ville":"Bouaké"}' } } },
    { outcome: 'verified' },
    { outcome: 'failed', problems: [{ kind: 'provider', message: expect.stringContaining('cannot be decoded') }] },
  ]);
  expect(verification.unfinished).toEqual([]);
});

describe('what could not be done', () => {
  const pact = pactV3([
    { ...readsInventory('one', 'A', 200), ...given('un magasin') },
    { ...readsInventory('two', 'A', 404), ...given('un magasin') },
  ]);
  const at = (url: string) => ({ at: { baseUrl: url, stateUrl: `${url}/states` } });

  test('a teardown that answers 500 keeps the results', async () => {
    const url = await serve((request, response, body) => {
      response.writeHead(request.url === '/states' && body.includes('teardown') ? 500 : 200).end('oups');
    });
    const { verification } = await verifyPact(pact, 'pos', at(url));
    expect(verification.interactions.map(({ outcome, problems }) => [outcome, problems[0]?.kind])).toEqual([
      ['verified', undefined],
      ['failed', 'status'],
    ]);
    expect(verification.unfinished).toEqual([
      expect.stringMatching(/^one – .*teardown of "un magasin".*500/),
      expect.stringMatching(/^two – .*teardown of "un magasin".*500/),
    ]);
  });

  test('a description that ends in the name of a secret does not hide what follows it', async () => {
    const url = await serve((request, response, body) => {
      response.writeHead(request.url === '/states' && body.includes('teardown') ? 500 : 200).end('oups');
    });
    const [first] = (pact as { interactions: object[] }).interactions;
    const { verification } = await verifyPact(
      { ...pact, interactions: [{ ...first, description: 'obtain a token' }] },
      'pos',
      at(url),
    );
    expect(verification.unfinished).toEqual([expect.stringMatching(/^obtain a token – The teardown of "un magasin"/)]);
  });

  test.each([
    ['is down', 'http://127.0.0.1:1/states', true],
    ['answers 500', '/500', true],
    ['answers 404', '/404', true],
    ['answers 302', '/302', true],
    ['asks for a login', '/401', true],
    ['refuses the state with 400', '/400', false],
    ['refuses the state with 422', '/422', false],
  ])('a state URL that %s fails the interactions', async (_, stateUrl, couldNotRun) => {
    const url = await serve((request, response) => {
      response.writeHead(Number(request.url.slice(1)) || 200, { location: '/login' }).end();
    });
    const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: url, stateUrl: new URL(stateUrl, url).href } });
    expect(verification.interactions).toMatchObject([
      { outcome: 'failed', problems: [{ kind: 'state', message: expect.stringContaining('un magasin') }] },
      { outcome: 'failed' },
    ]);
    expect(verification.interactions.map((one) => one.couldNotRun ?? false)).toEqual([couldNotRun, couldNotRun]);
  });

  test('a pact that cannot be verified does not lose the results of the others', async () => {
    const empty = await fileWith(JSON.stringify(pactV3([])), 'empty.json');
    const full = await fileWith(
      JSON.stringify(pactV3([{ ...readsInventory('none', 'A', 404), ...given('an access token') }])),
      'full.json',
    );
    const { pacts } = await readPacts([empty, full]);
    const { verification } = await verify({ provider: 'pos', from: pacts });
    expect(verification.interactions).toMatchObject([{ outcome: 'verified' }]);
    expect(verification.unfinished).toEqual([expect.stringContaining('empty.json')]);
  });
});

test('a pact with a byte order mark verifies, in UTF-8 and as PowerShell writes it', async () => {
  const text = `\uFEFF${JSON.stringify(pactV3([{ ...readsInventory('none', 'é', 404), ...given('an access token') }]))}`;
  const files = [await fileWith(text, 'utf8.json'), await fileWith(Buffer.from(text, 'utf16le'), 'utf16.json')];
  const { pacts } = await readPacts(files);
  const { verification } = await verify({ provider: 'pos', from: pacts });
  expect(verification.interactions.map(({ outcome, problems }) => [outcome, problems])).toEqual([
    ['verified', []],
    ['verified', []],
  ]);
});

test('a message without a state is verified with the event that its contents name', async () => {
  const message = (description: string, contents: object) => ({
    description,
    contents,
    metaData: { contentType: 'application/json' },
  });
  const pact = {
    consumer: { name: 'tableau-de-bord' },
    provider: { name: 'cohesion' },
    messages: [
      message('un plan est clos', { event: 'plan.closed' }),
      message('un rapport', { event: 'plan.close' }),
      message('rien', { id: 1 }),
    ],
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
  const { verification } = await verifyPact(pact, 'cohesion');
  expect(verification.interactions.map(({ outcome, problems }) => [outcome, problems[0]?.message])).toEqual([
    ['verified', undefined],
    ['failed', expect.stringMatching(/"plan\.close".*Did you mean "plan\.closed"/)],
    ['failed', expect.stringContaining('does not say which event it is about')],
  ]);
});

test('a provider whose small reply decodes to a huge one fails', async () => {
  const bomb = gzipSync(Buffer.alloc(65 * 2 ** 20));
  const url = await serve((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
  const pact = pactV3([{ description: 'huge', request: { method: 'GET', path: '/huge' }, response: { status: 200 } }]);
  const { verification } = await verifyPact(pact, 'pos', { at: { baseUrl: url } });
  const message = expect.stringContaining('has more than 64 MiB when it is decoded');
  expect(verification.interactions).toMatchObject([{ outcome: 'failed', problems: [{ kind: 'provider', message }] }]);
});

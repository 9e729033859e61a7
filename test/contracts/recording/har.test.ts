import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CouldNotRun } from '../../../contracts/tools/could-not-run.ts';
import { readHar } from '../../../contracts/tools/recording/har.ts';
import { pactOf } from '../../../contracts/tools/recording/pact.ts';
import { isPublic } from '../../../gateway/base/secret-names.ts';
import { forAll } from '../../for-all.ts';
import { archiveOf, entryOf, styles } from './archives.ts';

const pos = { source: 'calls.har', service: 'pos' } as const;
const read = (bytes: Buffer) => readHar({ ...pos, bytes });

function refusal(bytes: Buffer): string {
  try {
    read(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(CouldNotRun);
    return (error as Error).message;
  }
  throw new Error('It was read.');
}

const reply = '{"success":true,"data":{"store_id":"STORE-1"}}';

test.for(Object.entries(styles(gzipSync)))('%s', ([, entry]) => {
  const recording = read(archiveOf(entry));
  expect(recording).toMatchObject({ service: 'pos', deliveries: [], leftOut: [] });
  const [exchange] = recording.exchanges;
  expect(exchange).toMatchObject({
    request: {
      operation: 'GET /inventory',
      query: { store_id: 'STORE-1' },
      headers: { authorization: 'Bearer [redacted]-1' },
    },
    reply: {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.parse(reply),
    },
  });
  expect(Object.keys({ ...exchange?.request.headers, ...exchange?.reply.headers }).join()).not.toContain(':');
});

test('calls of neither API are skipped, counted and named', () => {
  const { exchanges, leftOut } = read(
    archiveOf(
      entryOf(),
      entryOf({ url: 'https://fonts.example/a.css' }),
      entryOf({ url: 'https://fonts.example/b.css' }),
      entryOf({ url: 'https://pos.example/api/v1/inventry?token=0123456789abcdef' }),
      entryOf({ url: 'https://pos.example/index.html' }),
      entryOf({ method: 'OPTIONS' }),
      entryOf({ url: 'https://pos.example/cohesion/api/v1/indicateurs' }),
      entryOf({ status: 0, response: { _error: 'net::ERR_ABORTED' } }),
      entryOf({ entry: { response: null } }),
      entryOf({ url: 'data:image/png;base64,AAAA' }),
    ),
  );
  expect(exchanges).toHaveLength(1);
  expect(leftOut).toEqual([
    expect.stringMatching(/^5 calls of no operation of pos or cohesion: GET \/a\.css, /),
    '1 call by which a browser asks for permission (OPTIONS)',
    '1 call of Social Cohesion: they are taken by passerelle pact cohesion',
    '2 calls without a reply',
  ]);
});

test('a body that the file does not contain is no empty body', () => {
  const sale = { method: 'POST', url: 'https://pos.example/api/v1/sales', status: 201 };
  const { exchanges, leftOut } = read(
    archiveOf(
      entryOf({ ...sale, request: { bodySize: 88, postData: { mimeType: 'application/json', text: '', params: [] } } }),
      entryOf({ ...sale, request: { postData: { mimeType: 'application/json', _file: 'a.json' } } }),
      entryOf({ ...sale, request: { postData: { mimeType: 'x', params: [{ name: 'total', value: '1' }] } } }),
      entryOf({ ...sale, body: '{"store_id":"S… [cut here: 90000 characters in all]' }),
      entryOf({ ...sale, body: '{"a":1}', response: { content: { size: -1, mimeType: 'application/json' } } }),
      entryOf({ ...sale, body: '{"a":2}', reply: '{"data":… [cut here: 90000 characters in all]' }),
    ),
  );
  expect(exchanges.map((one) => one.request.body)).toEqual([{ a: 1 }, { a: 2 }]);
  expect(exchanges.map((one) => one.reply.body)).toEqual([undefined, undefined]);
  expect(leftOut).toEqual([
    '3 calls whose request has a body that the file does not contain',
    '1 call whose request body was cut when it was recorded',
    "the reply's body of 2 calls: the file does not contain it",
  ]);
});

test('a file that is no archive, or has nothing of the API, gets one clear line', () => {
  const whole = archiveOf(entryOf());
  const lines = [
    [Buffer.alloc(0), 'calls.har is empty.'],
    [Buffer.from('[]'), 'calls.har is no HTTP Archive: it has no list log.entries.'],
    [Buffer.from('{"log":{"entries":{}}}'), 'calls.har is no HTTP Archive: it has no list log.entries.'],
    [Buffer.from('<html>Bearer 0123456789</html>'), 'calls.har is not valid JSON'],
    [whole.subarray(0, whole.length / 2), 'calls.har is not valid JSON'],
    [gzipSync(whole), 'calls.har is not valid JSON'],
    [archiveOf(entryOf(), { request: { method: 'GET' } }), 'calls.har, log.entries[1].request.url: '],
    [archiveOf(), 'calls.har has no call of pos that can be taken.'],
    [archiveOf(entryOf({ status: 0 })), 'calls.har has no call of pos that can be taken. Skipped 1 call without a reply.'],
    [
      archiveOf(entryOf({ url: 'https://fonts.example/a.css' }), entryOf({ url: 'https://api.example/api/v1/stats' })),
      'calls.har has no call of pos that can be taken. Skipped 1 call of no operation of pos or cohesion: GET /a.css. Skipped 1 call of Social Cohesion: they are taken by passerelle pact cohesion.',
    ],
  ] as const;
  for (const [bytes, line] of lines) {
    expect(refusal(bytes)).toContain(line);
    expect(refusal(bytes)).not.toMatch(/\n|0123456789/);
  }
});

test('a byte order mark, and UTF-16, are read', () => {
  expect(read(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), archiveOf(entryOf())])).exchanges).toHaveLength(1);
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(archiveOf(entryOf()).toString(), 'utf16le')]);
  expect(read(utf16).exchanges).toHaveLength(1);
});

test('calls with one token stay calls with one token', () => {
  const by = (token: string) => entryOf({ request: { headers: [{ name: 'Authorization', value: token }] } });
  const { exchanges } = read(archiveOf(by('Bearer aaaaaaaaaaaa'), by('Bearer bbb'), by('Bearer aaaaaaaaaaaa'), by('')));
  expect(exchanges.map(({ request }) => request.headers.authorization)).toEqual([
    'Bearer [redacted]-1',
    'Bearer [redacted]-2',
    'Bearer [redacted]-1',
    '',
  ]);
});

test('no secret of the file is in the recording, a note or the pact, wherever it stands', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{12,40}$/).filter((value) => !isPublic(value));
  const places: ((value: string) => object)[] = [
    (value) => entryOf({ request: { headers: [{ name: 'Authorization', value: `Bearer ${value}` }] } }),
    (value) => entryOf({ request: { headers: [{ name: 'X-API-Key-Secret', value }] } }),
    (value) => entryOf({ request: { headers: [{ name: 'cookie', value: `session=${value}` }] } }),
    (value) => entryOf({ response: { headers: [{ name: 'set-cookie', value: `session=${value}; path=/` }] } }),
    (value) => entryOf({ url: `https://pos.example/api/v1/inventory?store_id=S&access_token=${value}` }),
    (value) => entryOf({ url: `https://user:${value}@pos.example/api/v1/inventory` }),
    (value) => entryOf({ url: `https://pos.example/nowhere?token=${value}` }),
    (value) => entryOf({ body: JSON.stringify({ api_secret: value }) }),
    (value) => entryOf({ reply: JSON.stringify({ data: { token: value } }) }),
    // The same value under another name.
    (value) => entryOf({ body: JSON.stringify({ note: `I am ${value}` }), reply: JSON.stringify({ data: { password: value } }) }),
  ];
  forAll(100, [fc.array(fc.tuple(secret, fc.nat(places.length - 1)), { minLength: 1, maxLength: 6 })], (held) => {
    const entries = held.map(([value, place]) => (places[place] as (value: string) => object)(value));
    const taken = read(archiveOf(entryOf(), ...entries));
    const written = pactOf(taken, 'till');
    const shown = JSON.stringify([taken, written]);
    for (const [value] of held) expect(shown).not.toContain(value);
  });
});

test('a public key is no secret, also where a secret should be: so its owner sees the mistake', () => {
  const [publicKey, secret] = ['pk_0-_a0_-_AA', 'a-_0_-_AAA0_'];
  const mistaken = entryOf({ body: JSON.stringify({ api_secret: publicKey }) });
  const signed = entryOf({ request: { headers: [{ name: 'Authorization', value: `Bearer ${secret}` }] } });
  const shown = JSON.stringify(read(archiveOf(entryOf(), mistaken, signed)));
  expect(shown).toContain(publicKey);
  expect(shown).not.toContain(secret);
});

test('whatever the file contains, it is read or refused in one line', () => {
  const entry = entryOf({ body: '{}' });
  const paths = placesOf(entry);
  forAll(100, [fc.constantFrom(...paths), fc.jsonValue()], (path, value) => {
    try {
      const { exchanges } = read(archiveOf(entryOf(), changed(entry, path, value)));
      for (const { request } of exchanges) expect(request.path).toMatch(/^\/api\//);
    } catch (error) {
      if (!(error instanceof CouldNotRun)) throw error;
      expect(error.message).toMatch(/^calls\.har.*$/);
    }
  });
});

/** The path of each value in an entry. */
function placesOf(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, held]) => placesOf(held, [...at, name]))];
}

function changed(value: unknown, [name, ...rest]: string[], to: unknown): unknown {
  if (name === undefined) return to;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = changed(copy[name], rest, to);
  return copy;
}

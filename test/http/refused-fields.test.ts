import { describe, expect, test } from 'vitest';
import { buildTestApp, operatorToken, sharedByTests } from '../helper.ts';
import { call, openStub } from '../stubs/partner.ts';

const url = 'https://example.com/hook';
const endpoint = { service: 'pos', url };

interface Operation {
  requestBody?: { content: Record<string, { schema: { required?: string[] } }> };
}

type Detail = Record<'field' | 'message', string>;

const gateway = sharedByTests((atEnd) => buildTestApp({ demo: false, atEnd }));

describe('a refusal names all unknown fields, each with the nearest that there is', () => {
  test.each([
    ['/endpoints', { ...endpoint, evnts: null }, 'evnts: is not a field of this request; the nearest is events'],
    [
      '/endpoints',
      { ...endpoint, credentials: { basic: { usrname: 'a', password: 'b' } } },
      'credentials.basic.usrname: is not a field of this request; the nearest is username',
    ],
    [
      '/alerts/channels',
      { kind: 'slack', nme: 'a', hook: url },
      /^nme: is not a field of this request; the nearest is name; hook: .* Its fields: kind, name, .* \(and \d more\)$/,
    ],
    ['/deliveries/dlv_1/skip', { reson: 'x' }, 'reson: is not a field of this request. Its fields: none'],
    ['/alerts/channels', { kind: 'fax' }, 'kind: must be one of email, slack, not "fax"'],
  ])('POST %s %j', async (path, body, message) => {
    const { status, body: refused } = await gateway().manage('POST', path, body);
    expect([status, refused.error.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test.each([
    ['/deliveries?statu=failed', 'statu: is not a field of this request; the nearest is status'],
    ['/operators?crsor=x', 'crsor: is not a field of this request; the nearest is cursor'],
    ['/operators?partner=x', 'partner: is not a field of this request. Its fields: limit, cursor'],
  ])('GET %s', async (path, message) => {
    const { status, body } = await gateway().manage('GET', path);
    expect([status, body.error.message]).toEqual([400, message]);
  });

  test('of a stub', async () => {
    const stub = await openStub('pos', { seed: 'empty' });
    const { body } = await call(stub, 'POST', '/_stub/trigger', { body: { evnt: 'sale.completed', dat: {} } });
    expect(body.error.message).toMatch(/^evnt: is not a field .* is event; dat: is not .* is data \(and 1 more\)\. Send JSON/);
  });
});

describe('a refusal says in plain words what a value must be', () => {
  test.each([
    ['/operators?limit=abc', 'limit: must be a number'],
    ['/operators?limit=1.5', 'limit: must be a whole number, not 1.5'],
    ['/operators?limit=0', 'limit: must be at least 1'],
    ['/operators?limit=1e999', 'limit: must be a number; this one is too large for a number'],
    ['/calls?from=yesterday', 'from: must be a date and time with a zone, such as 2026-11-27T08:00:00Z'],
  ])('GET %s', async (path, message) => {
    expect((await gateway().manage('GET', path)).body.error.message).toBe(message);
  });

  test.each([
    [{ max_in_flight: 5000 }, 'max_in_flight: must be at most 1000'],
    [{ max_in_flight: 1.5 }, 'max_in_flight: must be a whole number, not 1.5'],
    [{ max_per_second: 0 }, 'max_per_second: must be at least 0.01'],
    [{ events: Array.from({ length: 101 }, () => 'sale.completed') }, 'events: must have at most 100 entries'],
    [{ credentials: { headers: { 'X-Key': '' } } }, /^credentials\.headers\.X-Key: must not be empty/],
  ])('POST /endpoints %#', async (fields, message) => {
    const { body } = await gateway().manage('POST', '/endpoints', { ...endpoint, ...fields });
    expect(body.error.message).toEqual(expect.stringMatching(message));
  });

  test('a body that is missing', async () => {
    const message = 'body: is missing; a JSON body is expected, with Content-Type: application/json';
    expect((await gateway().manage('POST', '/endpoints')).body.error).toMatchObject({ message, code: 'invalid_request' });
    const options = { token: operatorToken, body: 'null' };
    const sent = await gateway().call('POST', '/manage/v1/endpoints', options);
    expect(sent.body.error.message).toBe('body: must be an object, not null');
  });
});

describe('a refusal says of each missing field that it is required', () => {
  const demo = sharedByTests((atEnd) => buildTestApp({ atEnd }));
  const tokens = {
    pos: () => demo().posToken(),
    cohesion: () => demo().cohesionToken(),
    manage: () => operatorToken,
    profile: () => demo().posToken(),
  };

  test.each(Object.entries(tokens))('of %s', async (api, tokenOf) => {
    const { paths, servers } = (await demo().call('GET', `/docs/${api}.json`)).body;
    const token = await tokenOf();
    const asked: string[] = [];
    for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
      for (const [name, { requestBody }] of Object.entries(operations)) {
        const { required = [] } = requestBody?.content['application/json']?.schema ?? {};
        if (required.length === 0) continue;
        const method = name.toUpperCase() as 'POST';
        const url = `${servers[0].url}${path.replaceAll(/\{\w+\}/g, '1')}`;
        const { body } = await demo().call(method, url, { token, body: {} });
        const said = Object.fromEntries(
          body.errors
            ? Object.entries<string[]>(body.errors).map(([field, [message]]) => [field, message])
            : (body.error.details ?? []).map(({ field, message }: Detail) => [field, message]),
        );
        const expected = Object.fromEntries(required.map((field) => [field, expect.stringMatching(/^is required/)]));
        expect(said, `${method} ${url}`).toMatchObject(expected);
        asked.push(url);
      }
    }
    expect(asked).not.toEqual([]);
  });
});

describe('what only ordered endpoints choose', () => {
  const refused = (field: string, value: string) => [
    400,
    `"${value}" has an effect only at an ordered endpoint. Send "ordered": true with it, or leave "${field}" out.`,
  ];
  const ask = async (method: 'POST' | 'PATCH', path: string, fields: object) => {
    const { status, body } = await gateway().manage(method, path, method === 'POST' ? { ...endpoint, ...fields } : fields);
    return { said: [status, body.error?.message], data: body.data };
  };

  test.each([
    ['order_by', 'subject'],
    ['on_dead_letter', 'block'],
  ])('%s is refused without an order, on creation and after a change', async (field, value) => {
    expect((await ask('POST', '/endpoints', { [field]: value })).said).toEqual(refused(field, value));
    const { data } = await ask('POST', '/endpoints', { order_by: 'endpoint', on_dead_letter: 'skip' });
    const path = `/endpoints/${data.id}`;
    expect((await ask('PATCH', path, { [field]: value })).said).toEqual(refused(field, value));
    expect((await ask('PATCH', path, { ordered: true, [field]: value })).data).toMatchObject({ ordered: true, [field]: value });
    expect((await ask('PATCH', path, { description: 'a' })).data).toMatchObject({ ordered: true, [field]: value });
    expect((await ask('PATCH', path, { ordered: false, [field]: value })).said).toEqual(refused(field, value));
    const off = { ordered: false, order_by: 'endpoint', on_dead_letter: 'skip' };
    expect((await ask('PATCH', path, { ordered: false })).data).toMatchObject(off);
    expect((await ask('PATCH', path, { ordered: true })).data).toMatchObject({ ...off, ordered: true });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import { FaultError } from '../../stubs/faults/errors.ts';
import { type Stub, type StubOptions, startStub } from '../../stubs/stub.ts';
import { forAllAsync } from '../for-all.ts';
import { openStub, sharedStub } from './partner.ts';

type Loose = (...args: unknown[]) => unknown;
const loose = (stub: object, path: string): Loose => {
  const [last = '', ...before] = path.split('.').reverse();
  const owner = before.reverse().reduce((object, name) => Reflect.get(object, name), stub);
  return (...args) => (Reflect.get(owner, last) as Loose)(...args);
};

/** What a call threw or rejected with; undefined if it worked. */
async function errorOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
    return undefined;
  } catch (error) {
    return error ?? 'nothing was thrown';
  }
}

const isOurs = (error: unknown) =>
  error instanceof CouldNotRun ||
  error instanceof Refusal ||
  error instanceof FaultError ||
  String(error).includes('Waited 0 ms');

const tea = { product_id: 'TEA', name: 'Thé', price: 250 };
const sold = { store_id: 'MARKET', items: [{ product_id: 'TEA' }] };
const account = { name: 'A', api_key: 'pk_test_12345678', api_secret: 'sk_test_1234567890123456' };
const aya = { name: 'Aya', email: 'aya@example.org' };
const mission = { reference: 'R', intitule: 'T', annee: 2026, structure_id: 1 };
const token = { token: '7|aaaaaaaaaaaaaaaaaaaa' };
const url = 'http://127.0.0.1:9/';

test.each<[api: string, options: unknown, message: string]>([
  ['pos', null, 'startStub: options must be an object, got null.'],
  ['pos', [], 'startStub: options must be an object, got [].'],
  ['pos', { limits: 'no' }, "startStub: options.limits must be true or false, got 'no'."],
  ['pos', { faults: 'x' }, "startStub: options.faults must be a list, in which each is text or an object, got 'x'."],
  ['pos', { cors: 'http://localhost:5173' }, 'startStub: options.cors must be a list of text'],
  ['pos', { port: '0' }, "startStub: options.port must be a whole number from 0 to 65535, got '0'."],
  ['pos', { logLevel: 'loud' }, 'options.logLevel must be silent, error, warn, info or debug'],
  ['pos', { sed: 'demo' }, '"sed" is not an option of startStub. Did you mean seed?'],
  ['pos', { fault: [] }, 'Did you mean faults?'],
  ['pos', { mobilMoney: 'pending' }, 'Did you mean mobileMoney?'],
  ['pos', { mobileMoney: 'pendng:30s' }, 'Did you mean pending?'],
  ['cohesion', { mobileMoney: 'pending' }, 'cohesion has no payments'],
  ['pos', { plan: 'gold' }, 'No account has the plan "gold"'],
  ['cohesion', { plan: 'free' }, 'plan: only accounts of pos have a plan'],
  ['pos', { clock: 'tomorrow' }, 'clock: "tomorrow" is not a date and time'],
  ['pos', { clock: 1e20 }, 'clock: "100000000000000000000" is not a date and time'],
  ['pos', { faults: ['createSale:explode'] }, 'explode'],
  ['pos', { webhooks: [{ url, events: 'sale.completed' }] }, 'options.webhooks[0].events must be a list'],
  ['pos', { webhooks: [{ url, events: [] }] }, 'at least one event type'],
  ['pos', { webhooks: [{ url, event: ['sale.completed'] }] }, 'Did you mean events?'],
  ['pos', { webhooks: [{ url: 'http://10.0.0.1/' }] }, 'is not https://'],
  ['poss', {}, '"poss" is not an API. Use pos or cohesion.'],
])('a stub of %s with %j is refused by name', (api, options, message) => refuses(api, options, message));

async function refuses(api: string, options: unknown, message: string) {
  const error = await errorOf(() => startStub(api as 'pos', options as StubOptions<'pos'>));
  expect([error instanceof CouldNotRun, String(error)]).toEqual([true, expect.stringContaining(message)]);
}

const stores = [{ id: 'MARKET', products: [tea] }];
const structures = [{ nom: 'A', type: 'ong', region: 'Poro' }];

test.each<[api: string, seed: unknown, message: string]>([
  ['pos', '/nowhere.json', 'The fixtures file /nowhere.json cannot be read: there is no such file.'],
  ['pos', { shops: [] }, 'the fixtures: shops is not a known field'],
  ['pos', { stores: [{ id: 'S', products: [{ ...tea, price: 'much' }] }] }, 'stores.0.products.0.price: must be a number, not'],
  ['pos', { stores: [{ id: 'S', products: [tea, tea] }] }, 'stores.0.products.1.product_id: "TEA" is used twice'],
  ['pos', { stores: [{ id: 'S' }, { id: 'T' }, { id: 'S' }] }, 'stores.2.id: "S" is used twice'],
  ['pos', { accounts: [account, account] }, 'accounts.1.api_key: "pk_test_12345678" is used twice'],
  ['pos', { accounts: ['1', '2'].map((api_key) => ({ ...account, id: 'acc_1', api_key })) }, 'accounts.1.id: "acc_1" is used'],
  ['pos', { accounts: [{ ...account, store_ids: ['X'] }] }, 'accounts.0.store_ids: stores has no entry with the id X'],
  ['pos', { sales: [{ ...sold, store_id: 'X' }] }, 'sales.0.store_id: stores has no entry with the id X'],
  ['pos', { stores, sales: [{ ...sold, items: [{ product_id: 'RICE' }] }] }, 'product_id: MARKET has no product RICE'],
  ['pos', { stores, sales: [{ ...sold, api_key: 'pk' }] }, 'sales.0.api_key: accounts has no entry'],
  [
    'pos',
    { stores, sales: [{ ...sold, payments: [{ amount: 1, phone: '+2250700000000' }] }] },
    'only a sale by mobile_money has',
  ],
  ['pos', { events: [{ event: 'sale.complete' }] }, 'Did you mean sale.completed?'],
  ['pos', { events: [{ event: 'sale.completed', data: { totall: 1 } }] }, 'events.0.data: totall is not a known field'],
  ['cohesion', { users: [{ ...aya, structure_ids: [7] }] }, 'users.0.structure_ids: structures has no entry with the id 7'],
  ['cohesion', { interventions: [mission] }, 'interventions.0.structure_id: structures has no entry with the id 1'],
  ['cohesion', { structures, interventions: [mission, mission] }, 'interventions.1.reference: "R" is used twice'],
  ['cohesion', { tokens: [token, token] }, `seed cannot be used:\n  tokens.1.token: "${token.token}" is used twice`],
  [
    'cohesion',
    { tokens: [token, { token: '7|bbbbbbbbbbbbbbbbbbbb' }] },
    'tokens.1.token: its id 7, before the "|", is used twice',
  ],
])('in a seed of %s: %j is refused with its place', (api, seed, message) => refuses(api, { seed }, message));

const members: [path: string, args: unknown[], message: string][] = [
  ['triggerAll', [['sale.completed']], "stub.triggerAll: events[0] must be an object, got 'sale.completed'."],
  ['triggerAll', ['sale.completed'], 'stub.triggerAll: events must be a list'],
  ['triggerAll', [[{ evnt: 'sale.completed' }]], 'Did you mean event?'],
  ['triggerAll', [[{ event: 'sale.completed', data: 'x' }]], 'stub.triggerAll: events[0].data must be an object'],
  ['triggerAll', [[{ event: 'sale.completed' }], { reorder: true }], 'give two or more'],
  ['triggerAll', [[], { reordr: true }], 'Did you mean reorder?'],
  ['trigger', [], 'stub.trigger: event must be text, got undefined.'],
  ['trigger', ['sale.completed', undefined, null], 'stub.trigger: options must be an object, got null.'],
  ['trigger', ['sale.completed', undefined, { duplicates: '2' }], 'options.duplicates must be a whole number from 0 to 100'],
  ['trigger', ['sale.completed', {}, { duplicate: 2 }], '"duplicate" is not an option of stub.trigger. Did you mean duplicates?'],
  ['calls', [null], 'stub.calls: filter must be an object, got null.'],
  ['calls', [{ where: 'x' }], "stub.calls: filter.where must be a function, got 'x'."],
  ['calls', [{ method: 5 }], 'stub.calls: filter.method must be text, got 5.'],
  ['calls', [{ method: 'PSOT' }], '"PSOT" is not a method. Did you mean POST?'],
  ['calls', [{ path: 'api/v1/sales' }], 'path: "api/v1/sales" must begin with "/"'],
  ['calls', [{ operation: 'createSail' }], '"createSail" is not an operation. Did you mean createSale?'],
  ['calls', [{ oparation: 'createSale' }], '"oparation" is not a field of a filter. Did you mean operation?'],
  ['expectCalls', [{ operatio: 'createSale' }], 'operatio'],
  ['waitForCall', [{ operation: 'x' }], 'is not an operation'],
  ['waitForCall', [{}, { after: 'x' }], "options.after must be a call, a call's id, or 'now', got 'x'."],
  ['waitForCall', [{}, { timeoutMs: '5' }], 'options.timeoutMs must be a number of milliseconds'],
  ['waitForCall', [{}, { timeout: 5 }], 'Did you mean timeoutMs?'],
  ['deliveries', [{ statu: 'failed' }], 'Did you mean status?'],
  ...['deliveries', 'waitForDelivery'].flatMap((path): [string, unknown[], string][] => [
    [path, [{ event: 'sync.completed' }], 'Did you mean event_id?'],
    [path, [{ event_type: 'sale.complete' }], '"sale.complete" is not an event. Did you mean sale.completed?'],
    [path, [{ endpoint_id: 'ep_1' }], 'There is no endpoint ep_1.'],
    [path, [{ event_id: 'evt_1' }], 'There is no event evt_1.'],
  ]),
  ['har', [{ filter: 'x' }], 'stub.har: options.filter must be an object'],
  ['har', [{ filter: { operation: 'x' } }], 'is not an operation'],
  ['har', [{ secret: true }], 'Did you mean secrets?'],
  ['subscribe', ['x'], 'stub.subscribe: listener must be a function'],
  ['clock.advance', [null], 'stub.clock.advance: duration must be a duration such as 72h, or milliseconds, got null.'],
  ['endpoints.add', [{ url: 5 }], 'stub.endpoints.add: endpoint.url must be text, got 5.'],
  ['endpoints.add', [url], 'endpoint must be an object with a url'],
  // Without its events it would get every one.
  ['endpoints.add', [{ url, event: ['sale.completed'] }], '"event" is not a field of an endpoint. Did you mean events?'],
  ['faults.add', [null], 'stub.faults.add: rule must be text or an object, got null.'],
  ['faults.add', [{ fault: { kind: 'status', status: 400, body: 1n, validate: false } }], 'must be a value that JSON can write'],
  ['payments.list', [{ statsu: 'x' }], 'Did you mean status?'],
  ['payments.list', [{ status: 'recieved' }], 'Did you mean received?'],
  ['payments.list', [{ reference: 'VNT-NONE' }], 'There is no sale with the reference "VNT-NONE".'],
  ['payments.settle', ['pay_1', 'refusd'], 'Did you mean refused?'],
  ['profile.createEndpoint', [{ url, perimetre: [] }], 'Did you mean perimeter?'],
  ['profile.createKey', [{ acount: 'x' }], 'Did you mean account?'],
  ['profile.createKey', [{ account: 'user:1' }], '"user:1" owns nothing in this stub of pos'],
  ['profile.createToken', [{ name: 'x' }], 'pos has no tokens of users. It belongs to cohesion: use stub.profile.createKey.'],
  ['world', [{ port: 4010 }], '"port" is not an option of a world.'],
  ['world', [{ clok: 'real' }], 'Did you mean clock?'],
];

const shared = sharedStub('pos', { seed: 'empty' });

test.each(members)('stub.%s with %o is refused by name', async (path, args, message) => {
  const error = await errorOf(() => loose(shared(), path)(...args));
  expect([isOurs(error), String(error)]).toEqual([true, expect.stringContaining(message)]);
});

describe('any value of any option works or is refused by our own error', () => {
  const value = fc.oneof(fc.anything(), fc.constantFrom(null, 0, -1, 1.5, Number.NaN, '', 'x', true, [], {}, [null], [[]], [{}]));
  // Names of hosts are looked up in the network; `console: true` needs the built console.
  const optionNames = ['port', 'seed', 'plan', 'limits', 'clock', 'faults', 'faultSeed', 'webhooks', 'secret', 'cors', 'help'];

  test('of startStub', async () => {
    await forAllAsync(60, [fc.constantFrom(...optionNames), value], async (name, given) => {
      let stub: Stub | undefined;
      const error = await errorOf(async () => {
        stub = await startStub('pos', { seed: 'empty', logLevel: 'silent', [name]: given } as StubOptions<'pos'>);
      });
      await stub?.close();
      expect(error === undefined || error instanceof CouldNotRun, `${name}: ${error}`).toBe(true);
    });
  });

  test('of the members', async () => {
    const stub = await openStub('pos', { seed: 'empty' });
    const options: Record<string, string[]> = {
      trigger: ['validate', 'duplicates', 'to', 'secret', 'on'],
      triggerAll: ['reorder', 'validate'],
      waitForCall: ['after', 'signal'],
      waitForDelivery: ['signal'],
    };
    const filters = ['operation', 'method', 'path', 'status', 'where', 'event_type', 'endpoint_id', 'event_id'];
    const argument = (names: string[]) =>
      fc.oneof(
        value,
        fc.tuple(fc.constantFrom(...names), value).map(([name, given]) => ({ [name]: given })),
      );
    const uses = fc
      .constantFrom(...new Set(members.map(([path]) => path)), 'waitForDelivery', 'deliveries', 'expectCalls')
      .chain((path) =>
        fc.tuple(fc.constant(path), argument(['url', 'event', 'filter', ...filters]), argument(options[path] ?? ['x'])),
      );
    await forAllAsync(300, [uses, value], async ([path, first, second], third) => {
      const waits = path.startsWith('wait') && typeof second === 'object' && second !== null && !Array.isArray(second);
      const args = [first, waits ? { timeoutMs: 0, ...second } : second, third];
      const error = await errorOf(() => loose(stub, path)(...(path.startsWith('wait') && !waits ? [first, null] : args)));
      expect(error === undefined || isOurs(error), `${path}(${fc.stringify(args)}): ${(error as Error)?.stack}`).toBe(true);
    });
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import { FaultError } from '../../stubs/faults/errors.ts';
import { type Stub, type StubOptions, startStub } from '../../stubs/stub.ts';
import { forAllAsync } from '../for-all.ts';
import { openStub } from './partner.ts';

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

const starts: [options: unknown, message: string][] = [
  [null, 'startStub: options must be an object, got null.'],
  [[], 'startStub: options must be an object, got [].'],
  [{ limits: 'no' }, "startStub: options.limits must be true or false, got 'no'."],
  [{ faults: 'x' }, "startStub: options.faults must be a list, in which each is text or an object, got 'x'."],
  [{ cors: 'http://localhost:5173' }, 'startStub: options.cors must be a list of text'],
  [{ port: '0' }, "startStub: options.port must be a whole number from 0 to 65535, got '0'."],
  [{ webhooks: [{ url: 'http://127.0.0.1:9/', events: 'sale.completed' }] }, 'options.webhooks[0].events must be a list'],
  [{ clock: 1e20 }, 'clock: "100000000000000000000" is not a date and time'],
  [{ logLevel: 'loud' }, 'options.logLevel must be silent, error, warn, info or debug'],
];

test.each(starts)('startStub refuses %j by name', async (options, message) => {
  await expect(startStub('pos', options as StubOptions<'pos'>)).rejects.toThrow(message);
  expect(await errorOf(() => startStub('pos', options as StubOptions<'pos'>))).toBeInstanceOf(CouldNotRun);
});

test('a plan is refused where accounts have none', async () => {
  const error = await errorOf(() => startStub('cohesion', { plan: 'free' }));
  expect(String(error)).toContain('plan: only accounts of pos have a plan');
});

const members: [path: string, args: unknown[], message: string][] = [
  ['triggerAll', [['sale.completed']], "stub.triggerAll: events[0] must be an object, got 'sale.completed'."],
  ['triggerAll', ['sale.completed'], 'stub.triggerAll: events must be a list'],
  ['triggerAll', [[{ event: 'sale.completed', data: 'x' }]], 'stub.triggerAll: events[0].data must be an object'],
  ['triggerAll', [[{ event: 'sale.completed' }], { reorder: true }], 'give two or more'],
  ['trigger', [], 'stub.trigger: event must be text, got undefined.'],
  ['trigger', ['sale.completed', undefined, null], 'stub.trigger: options must be an object, got null.'],
  ['trigger', ['sale.completed', undefined, { duplicates: '2' }], 'options.duplicates must be a whole number from 0 to 100'],
  ['calls', [null], 'stub.calls: filter must be an object, got null.'],
  ['calls', [{ where: 'x' }], "stub.calls: filter.where must be a function, got 'x'."],
  ['calls', [{ method: 5 }], 'stub.calls: filter.method must be text, got 5.'],
  ['waitForCall', [{}, { after: 'x' }], "options.after must be a call, a call's id, or 'now', got 'x'."],
  ['waitForCall', [{}, { timeoutMs: '5' }], 'options.timeoutMs must be a number of milliseconds'],
  ['har', [{ filter: 'x' }], 'stub.har: options.filter must be an object'],
  ['subscribe', ['x'], 'stub.subscribe: listener must be a function'],
  ['clock.advance', [null], 'stub.clock.advance: duration must be a duration such as 72h, or milliseconds, got null.'],
  ['endpoints.add', [{ url: 5 }], 'stub.endpoints.add: endpoint.url must be text, got 5.'],
  ['faults.add', [null], 'stub.faults.add: rule must be text or an object, got null.'],
];

test.each(members)('stub.%s with %j is refused by name', async (path, args, message) => {
  const stub = await openStub('pos', { seed: 'empty' });
  const error = await errorOf(() => loose(stub, path)(...args));
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

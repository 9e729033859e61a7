import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { checkArguments } from './options.ts';
import type { Stub } from './types.ts';

/** What still works after `close`: looking at what was received and sent. */
const afterClose: readonly string[] = [
  'calls',
  'expectCalls',
  'uncheckedCalls',
  'har',
  'deliveries',
  'close',
  'profile.endpoints',
  'profile.deliveries',
  'clock.now',
  'endpoints.list',
  'faults.list',
  'assumptions.list',
  'payments.list',
];
const groups: readonly unknown[] = [
  'profile',
  'clock',
  'endpoints',
  'faults',
  'assumptions',
  'payments',
] satisfies (keyof Stub)[];

/**
 * The stub as programs get it. A member that is used after `close`, or with an argument that it does not take, throws
 * `CouldNotRun`.
 */
export function checkedStub<S extends Stub>(stub: S, kind: 'stub' | 'world'): S {
  let closed = false;
  const close = () => {
    closed = true;
    return stub.close();
  };
  // Some members are read at each use: credentials follow the active alternatives.
  const members: S = Object.assign(Object.defineProperties({} as S, Object.getOwnPropertyDescriptors(stub)), {
    close,
    [Symbol.asyncDispose]: close,
    [Symbol.dispose]: () => void close().catch(() => {}),
  });
  return guarded(members, (member, args) => {
    if (closed && !afterClose.includes(member))
      throw new CouldNotRun(`${kind}.${member} was used after ${kind}.close(). Start another ${kind}, or close this one later.`);
    checkArguments(member, args);
  });
}

/** The object, whose functions, and those of its groups, run `check` first. */
const guarded = <T extends object>(object: T, check: (member: string, args: unknown[]) => void, path = ''): T =>
  new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol') return value;
      if (typeof value === 'function')
        return (...args: unknown[]) => {
          check(`${path}${name}`, args);
          return value.apply(target, args);
        };
      return path === '' && groups.includes(name) ? guarded(value as object, check, `${name}.`) : value;
    },
  });

import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { checkArguments } from './options.ts';
import type { Stub } from './types.ts';

/** What still works after `close`: looking at what was received and sent. */
const afterClose: Readonly<Record<string, true | Readonly<Record<string, true>>>> = {
  calls: true,
  expectCalls: true,
  uncheckedCalls: true,
  har: true,
  deliveries: true,
  close: true,
  profile: { endpoints: true, deliveries: true },
  clock: { now: true },
  endpoints: { list: true },
  faults: { list: true },
  assumptions: { list: true },
  payments: { list: true },
};

/**
 * The stub as programs get it. A member that is used after `close`, or with an argument that it does not take, throws
 * `CouldNotRun`.
 */
export function checkedStub<S extends Stub>(stub: S): S {
  let closed = false;
  const close = () => {
    closed = true;
    return stub.close();
  };
  const refuseIfClosed = (name: string) => {
    if (closed) throw new CouldNotRun(`stub.${name} was used after stub.close(). Start another stub, or close this one later.`);
  };
  // Some members are read at each use: credentials follow the active alternatives.
  const members: S = Object.assign(Object.defineProperties({} as S, Object.getOwnPropertyDescriptors(stub)), {
    close,
    [Symbol.asyncDispose]: close,
    [Symbol.dispose]: () => void close().catch(() => {}),
  });
  return guarded(members, afterClose, (name, args) => {
    refuseIfClosed(name);
    checkArguments(name, args);
  });
}

/** The object, whose functions run `check` first. Functions in `free` run it only for their arguments. */
function guarded<T extends object>(
  object: T,
  free: typeof afterClose,
  check: (name: string, args: unknown[]) => void,
  path = '',
): T {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof name === 'symbol') return value;
      const rule = Object.hasOwn(free, name) ? free[name] : undefined;
      if (typeof value === 'function') {
        return (...args: unknown[]) => {
          if (rule === undefined) check(`${path}${name}`, args);
          else checkArguments(`${path}${name}`, args);
          return value.apply(target, args);
        };
      }
      return typeof rule === 'object' && typeof value === 'object' && value !== null
        ? guarded(value, rule, check, `${path}${name}.`)
        : value;
    },
  });
}

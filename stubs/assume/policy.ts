import type { Assumptions } from './assumptions.ts';

/** Returns the policy of an API under the active alternatives, which are looked up at each use. */
export function livePolicy<P extends object>(registered: P, assumptions: Assumptions): P {
  const policy = {} as P;
  for (const [name, choice] of Object.entries(registered)) {
    const get = () => (assumptions.live?.policy as Partial<Record<string, unknown>> | undefined)?.[name] ?? choice;
    Object.defineProperty(policy, name, { enumerable: true, get });
  }
  return policy;
}

import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { readObserved } from '../contracts/tools/observed/file.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import { eventsOf } from '../spec/openapi/operations.ts';
import { FaultError } from '../stubs/faults/errors.ts';
import { parseRule } from '../stubs/faults/rule-text.ts';
import { checkTargets, targetsOf } from '../stubs/faults/targets.ts';
import type { StubOptions } from '../stubs/types.ts';
import { type StubGiven, stubOptions } from './stub-options.ts';
import type { Webhook } from './webhook-option.ts';

type Knows<T> = (api: ServiceName, value: T) => boolean;

/**
 * The options of each API's stub. With several APIs, each stub gets what belongs to its API: faults of its operations, choices of
 * its gaps, webhooks of its events, and what was observed of it. An unknown name goes to all stubs, so that it is refused. Throws
 * `CouldNotRun`.
 */
export async function optionsByApi(
  apis: readonly ServiceName[],
  { port, plan, observed, ...given }: StubGiven,
): Promise<(api: ServiceName) => StubOptions> {
  if (port && apis.length > 1) throw new CouldNotRun(`--port: ${apis.join(' and ')} cannot share port ${port}. Leave it out.`);
  for (const rule of given.fault) checkFault(rule, apis);
  const observedApi = observed && apis.length > 1 ? (await readObserved(observed)).api : apis[0];
  return (api) => {
    const own = <T>(values: readonly T[], knows: Knows<T>) =>
      values.filter((value) => knows(api, value) || !apis.some((one) => knows(one, value)));
    const webhooksOf = ({ events, ...endpoint }: Webhook): Webhook[] => {
      const some = events && own(events, (one, type) => type in eventsOf(one));
      return some?.length === 0 ? [] : [{ ...endpoint, ...(some && { events: some }) }];
    };
    const isPos: Knows<unknown> = (one) => one === 'pos';
    return stubOptions({
      ...given,
      port,
      plan: own([plan], isPos)[0],
      observed: own([observed], (one) => one === observedApi)[0],
      mobileMoney: own(given.mobileMoney, isPos),
      fault: own(given.fault, appliesTo),
      assume: own(
        given.assume.flatMap((text) => text.split(',')),
        (one, text) => [one, 'harmless'].includes(text.trim().split(/[.=]/)[0] ?? ''),
      ),
      webhook: own(given.webhook.flatMap(webhooksOf), (one, { owner = prefix[one] }) => owner.startsWith(prefix[one])),
    });
  };
}

/** The beginning of each API's names of owners. */
const prefix: Readonly<Record<ServiceName, string>> = { pos: 'account:', cohesion: 'user:' };

/** Refuses a rule that is not about one of the APIs, and suggests the nearest operation of all of them. */
function checkFault(rule: string, apis: readonly ServiceName[]): void {
  try {
    checkTargets(parseRule(rule), apis.flatMap(targetsOf));
  } catch (error) {
    throw error instanceof FaultError ? new CouldNotRun(error.message) : error;
  }
}

/** True for a rule about operations of the API. */
function appliesTo(api: ServiceName, rule: string): boolean {
  try {
    return checkTargets(parseRule(rule), targetsOf(api)).length > 0;
  } catch (error) {
    if (error instanceof FaultError) return false;
    throw error;
  }
}

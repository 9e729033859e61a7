import { type Command, InvalidArgumentError } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import type { IsWanted } from '../contracts/tools/verification/batches.ts';
import type { PactFile } from '../contracts/tools/verification/pact-file.ts';
import type { Verifiable } from '../contracts/tools/verification/result.ts';
import { nearestOf } from '../gateway/base/nearest.ts';

export interface VerifyOptions {
  provider?: Verifiable;
  pact?: string[];
  broker?: string;
  selectors?: string;
  providerName?: string;
  publish: boolean;
  publishReference: boolean;
  providerVersion?: string;
  providerBranch?: string;
  includeWip?: string;
  buildUrl?: string;
  baseUrl?: string;
  stateUrl?: string;
  header: Readonly<Record<string, string>>;
  timeout?: number;
  consumer?: string;
  description?: string;
  state?: string;
  secret?: string;
  json: boolean;
  output: string[];
}

/** Returns true if the pacts are a broker's. */
export const isFromBroker = ({ broker, selectors }: VerifyOptions): boolean => broker !== undefined || selectors !== undefined;

/** Options that do nothing on their own: what each needs beside it. */
const effects: readonly { option: keyof VerifyOptions; isUsed(options: VerifyOptions): boolean; needs: string }[] = [
  ...(['publish', 'publishReference', 'providerBranch', 'includeWip'] as const).map((option) => ({
    option,
    isUsed: isFromBroker,
    needs: '--broker: only a broker records results and has branches',
  })),
  ...(['providerVersion', 'buildUrl'] as const).map((option) => ({
    option,
    isUsed: ({ publish, publishReference }: VerifyOptions) => publish || publishReference,
    needs: '--publish: it is recorded with the results',
  })),
  {
    option: 'publish',
    isUsed: ({ baseUrl }) => baseUrl !== undefined,
    needs:
      "--base-url: without it, the results of Passerelle's reference implementation would be recorded as your provider's. " +
      'If that is what you want, pass --publish-reference instead',
  },
  {
    option: 'publishReference',
    isUsed: ({ baseUrl, publish }) => baseUrl === undefined && !publish,
    needs: 'the reference implementation: pass --publish for the provider at --base-url',
  },
  {
    option: 'stateUrl',
    isUsed: ({ baseUrl }) => baseUrl !== undefined,
    needs: '--base-url: the reference implementation sets up its states itself',
  },
  { option: 'stateUrl', isUsed: ({ provider }) => provider !== 'webhook-receiver', needs: 'an API: a receiver has no states' },
  {
    option: 'secret',
    isUsed: ({ provider }) => provider === 'webhook-receiver',
    needs: 'webhook-receiver as the provider: nothing else is signed',
  },
  ...(['header', 'timeout'] as const).map((option) => ({
    option,
    isUsed: ({ baseUrl }: VerifyOptions) => baseUrl !== undefined,
    needs: '--base-url: the reference implementation is called in memory',
  })),
  ...(['consumer', 'description', 'state'] as const).map((option) => ({
    option,
    isUsed: ({ publish, publishReference }: VerifyOptions) => !publish && !publishReference,
    needs: 'a verification that is not recorded: with --publish, a part of a pact would count as the whole',
  })),
];

/**
 * Throws `CouldNotRun` for an option without effect, because the caller expects an effect. A variable of the environment may be
 * unused.
 */
export function checkEffects(options: VerifyOptions, command: Command): void {
  const isWritten = (option: string) => command.getOptionValueSource(option) === 'cli';
  const idle = effects.find(({ option, isUsed }) => isWritten(option) && !isUsed(options));
  if (idle === undefined) return;
  const flag = command.options.find((option) => option.attributeName() === idle.option)?.long;
  throw new CouldNotRun(`${flag} needs ${idle.needs}.`);
}

export function seconds(value: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(value) && Number(value) > 0) return Number(value);
  throw new InvalidArgumentError('It must be a number of seconds above 0.');
}

/** Returns true for the interactions that `--consumer`, `--description` and `--state` select. */
export function wantedBy({ consumer, description, state }: VerifyOptions): IsWanted {
  const has = (text: string, part: string | undefined) => part === undefined || text.toLowerCase().includes(part.toLowerCase());
  return (pact, interaction) =>
    (consumer === undefined || pact.consumer === consumer) &&
    has(interaction.description, description) &&
    (state === undefined || interaction.states.some(({ name }) => has(name, state)));
}

/** Throws a `CouldNotRun` that names the nearest consumer or description if no interaction is selected. */
export function checkSelection(pacts: readonly PactFile[], options: VerifyOptions): void {
  const isWanted = wantedBy(options);
  if (pacts.some((pact) => pact.interactions.some((one) => isWanted(pact, one)))) return;
  const all = pacts.flatMap(({ interactions }) => interactions);
  const values = {
    consumer: pacts.map(({ consumer }) => consumer),
    description: all.map(({ description }) => description),
    state: all.flatMap(({ states }) => states.map(({ name }) => name)),
  };
  for (const name of ['consumer', 'description', 'state'] as const) {
    const [wanted, known] = [options[name], values[name]];
    if (wanted === undefined) continue;
    const nearest = known.length > 0 ? `The nearest is "${nearestOf(wanted, known)}".` : `No interaction has a ${name}.`;
    throw new CouldNotRun(`No interaction has --${name} "${wanted}" and the other filters. ${nearest}`);
  }
}

import { z } from 'zod';
import { type Limits, runPactCli, withoutSecrets } from './client.ts';
import { BrokerError, unusable } from './error.ts';
import type { Broker } from './settings.ts';

export interface DeployQuestion extends Limits {
  broker: Broker;
  /** The application that is to be deployed, as its pacts name it. */
  pacticipant: string;
  version: string;
  /** Against the versions deployed there; where it is left out, against the latest ones, or those of `against`. */
  toEnvironment?: string;
  /** Against one version of each of these. */
  against?: readonly Counterpart[];
  /** Asks again while results are missing, because a verification may still run. */
  retryWhileUnknown?: { times: number; intervalSeconds: number };
}

/** One version of another application. */
export type Counterpart = { pacticipant: string } & ({ version: string } | { branch: string } | { mainBranch: true });

export interface DeployAnswer {
  deployable: boolean;
  /** Not deployable only because results are missing: nothing failed so far. */
  unknown: boolean;
  /** In the broker's words; several lines where there are several reasons. */
  reason: string;
  /** What was looked at: `success` is null where there is no result. */
  rows: DeployRow[];
  /** The broker's answer, JSON. */
  output: string;
}

export interface DeployRow {
  consumer: string;
  consumerVersion: string | null;
  provider: string;
  providerVersion: string | null;
  success: boolean | null;
}

const participant = z.object({ name: z.string(), version: z.object({ number: z.string() }).nullish() });
const answerForm = z.object({
  summary: z.object({ deployable: z.boolean().nullish(), reason: z.string().default('') }),
  matrix: z.array(
    z.object({
      consumer: participant,
      provider: participant,
      verificationResult: z.object({ success: z.boolean().nullish() }).nullish(),
    }),
  ),
});

/**
 * Asks whether every pact between this version and those that it would meet was verified. "No" is an answer; that the
 * broker could not be asked, or does not know the application or the environment, is a BrokerError.
 */
export async function canIDeploy(question: DeployQuestion): Promise<DeployAnswer> {
  const { broker, pacticipant, version, toEnvironment, against = [], retryWhileUnknown: retry } = question;
  for (const [name, value] of Object.entries({ application: pacticipant, version }))
    if (!value.trim() || value.startsWith('-')) throw unusable(`The ${name} '${value}' cannot be asked about: give its name.`);
  const retryMs = retry ? retry.times * retry.intervalSeconds * 1000 : 0;
  const output = await runPactCli(
    broker,
    [
      'can-i-deploy',
      // pact-cli reads these by their order, and only apart from their values.
      ...['--pacticipant', pacticipant, '--version', version],
      ...against.flatMap(counterpart),
      ...(toEnvironment ? [`--to-environment=${toEnvironment}`] : []),
      ...(retry ? [`--retry-while-unknown=${retry.times}`, `--retry-interval=${retry.intervalSeconds}`] : []),
      // Its exit code is the same for "no" and for "could not ask"; with JSON the first is printed and ends with 0.
      '--output=json',
    ],
    { ...question, timeoutMs: (question.timeoutMs ?? 60_000) + retryMs },
  );
  return { ...readAnswer(broker, output), output: withoutSecrets(broker, output) };
}

function counterpart(other: Counterpart): string[] {
  const pacticipant = ['--pacticipant', other.pacticipant];
  if ('version' in other) return [...pacticipant, '--version', other.version];
  return 'branch' in other ? [...pacticipant, '--branch', other.branch] : [...pacticipant, '--main-branch'];
}

function readAnswer(broker: Broker, output: string): Omit<DeployAnswer, 'output'> {
  const parsed = z
    .string()
    .transform((text) => JSON.parse(text))
    .pipe(answerForm)
    .safeParse(output.slice(output.indexOf('{')));
  if (!parsed.success)
    throw new BrokerError(
      'refused',
      `The broker at ${broker.url} gave no answer that can be read.`,
      withoutSecrets(broker, output),
    );
  const { summary, matrix } = parsed.data;
  return {
    deployable: summary.deployable === true,
    unknown: summary.deployable == null,
    reason: summary.reason,
    rows: matrix.map(({ consumer, provider, verificationResult }) => ({
      consumer: consumer.name,
      consumerVersion: consumer.version?.number ?? null,
      provider: provider.name,
      providerVersion: provider.version?.number ?? null,
      success: verificationResult?.success ?? null,
    })),
  };
}

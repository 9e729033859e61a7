import { type Limits, runPactCli } from './client.ts';
import type { Broker } from './settings.ts';

export interface Deployment extends Limits {
  broker: Broker;
  pacticipant: string;
  /** One that published pacts, or whose results were recorded. */
  version: string;
  environment: string;
}

/** Tells the broker that this version now runs there, in the place of the one before. Throws a BrokerError. */
export async function recordDeployment(deployment: Deployment): Promise<void> {
  const { broker, pacticipant, version, environment } = deployment;
  await runPactCli(
    broker,
    [
      'record-deployment',
      // pact-cli puts both into a path as they are.
      `--pacticipant=${encodeURIComponent(pacticipant)}`,
      `--version=${encodeURIComponent(version)}`,
      `--environment=${environment}`,
    ],
    {
      ...deployment,
      notFound: `The broker at ${broker.url} knows no version '${version}' of '${pacticipant}': publish its pacts or record its results first.`,
    },
  );
}

import type { BrokerStore, Publication, Result, Version } from './broker-store.ts';

/** One application of a can-i-deploy question. */
interface Participant {
  pacticipant: string;
  version?: string;
  branch?: string;
  tag?: string;
  mainBranch?: string;
  latest?: string;
}

export interface Question {
  participants: Participant[];
  environment?: string;
}

interface Row {
  publication: Publication;
  providerVersion: string | undefined;
  result: Result | undefined;
}

/** Reads the query of GET /matrix: `q[][pacticipant]=A&q[][version]=1&environment=test`. */
export function readQuestion(query: string): Question {
  const participants: Participant[] = [];
  const values = new URLSearchParams(query);
  for (const [key, value] of values) {
    const [, name] = /^q\[\]\[(\w+)\]$/.exec(key) ?? [];
    if (name === 'pacticipant') participants.push({ pacticipant: value });
    else if (name) Object.assign(participants.at(-1) ?? {}, { [name]: value });
  }
  return { participants, environment: values.get('environment') ?? undefined };
}

/** What makes a question one that a broker refuses, in its words; empty where it answers. */
export const refusals = (store: BrokerStore, { participants, environment }: Question): string[] => [
  ...participants
    .filter(({ pacticipant }) => !store.knows(pacticipant))
    .map(({ pacticipant }) => `Pacticipant ${pacticipant} not found`),
  ...(environment === undefined || store.environments.has(environment)
    ? []
    : [`Environment with name '${environment}' does not exist`]),
];

/** Whether every pact between the versions asked about, and those they would meet, is verified: the body of a matrix. */
export function answer(store: BrokerStore, question: Question) {
  const found = question.participants.map((participant) => ({ participant, version: resolve(store, participant) }));
  const missing = found.filter(({ version }) => version === undefined).map(({ participant }) => noSuchVersion(participant));
  const versions = found.flatMap(({ version }) => version ?? []);
  const rows = versions.flatMap((version) => [
    ...asConsumer(store, version, versions, question.environment),
    ...asProvider(store, version, versions, question.environment),
  ]);
  const unknown = rows.some(({ result }) => result === undefined);
  const deployable = missing.length > 0 ? false : unknown ? null : rows.every(({ result }) => result?.success);
  const reasons = [...missing, ...rows.flatMap(reasonOf)];
  const fine =
    rows.length > 0 ? 'All required verification results are published and successful' : 'There are no missing dependencies';
  const said = reasons.length > 0 ? [...new Set(reasons)] : [fine];
  return {
    summary: { deployable, reason: said.join('\n') },
    notices: said.map((text) => ({ type: deployable ? 'success' : 'error', text })),
    matrix: rows.map(({ publication, providerVersion, result }) => ({
      consumer: { name: publication.consumer, version: { number: publication.version.number } },
      provider: { name: publication.provider, version: providerVersion ? { number: providerVersion } : null },
      verificationResult: result ? { success: result.success } : null,
    })),
  };
}

function resolve(store: BrokerStore, { pacticipant, version, branch, tag, mainBranch }: Participant): Version | undefined {
  const wantedBranch = mainBranch ? 'main' : branch;
  return store.versions.findLast(
    (known) =>
      known.pacticipant === pacticipant &&
      (version === undefined || known.number === version) &&
      (wantedBranch === undefined || known.branches.has(wantedBranch)) &&
      (tag === undefined || known.tags.has(tag)),
  );
}

const noSuchVersion = ({ pacticipant, version, branch, mainBranch }: Participant) =>
  version === undefined
    ? `No version of ${pacticipant} from ${mainBranch ? 'the main branch' : `branch ${branch}`} exists`
    : `No pacts or verifications have been published for version ${version} of ${pacticipant}`;

function asConsumer(store: BrokerStore, version: Version, asked: Version[], environment: string | undefined): Row[] {
  const others = asked.filter(({ pacticipant }) => pacticipant !== version.pacticipant);
  return store.publications
    .filter((publication) => publication.version === version)
    .filter(({ provider }) => others.length === 0 || others.some(({ pacticipant }) => pacticipant === provider))
    .map((publication) => {
      const providerVersion =
        others.find(({ pacticipant }) => pacticipant === publication.provider)?.number ??
        (environment === undefined
          ? store.results.findLast(({ sha }) => sha === publication.sha)?.providerVersion
          : store.environments.get(environment)?.get(publication.provider));
      const result = providerVersion === undefined ? undefined : store.resultOf(publication.sha, providerVersion);
      return { publication, providerVersion, result };
    });
}

/** A provider must do what the consumers in the environment expect; without one, what it was verified against. */
function asProvider(store: BrokerStore, version: Version, asked: Version[], environment: string | undefined): Row[] {
  if (asked.length > 1) return [];
  return store.publications
    .filter(({ provider }) => provider === version.pacticipant)
    .map((publication) => ({
      publication,
      providerVersion: version.number,
      result: store.resultOf(publication.sha, version.number),
    }))
    .filter(({ publication, result }) => (environment ? store.deployed(publication.version, environment) : result));
}

function reasonOf({ publication, providerVersion, result }: Row): string[] {
  const consumer = `version ${publication.version.number} of ${publication.consumer}`;
  const provider = `${providerVersion ? `version ${providerVersion}` : 'any version'} of ${publication.provider}`;
  if (result === undefined) return [`There is no verified pact between ${consumer} and ${provider}`];
  return result.success ? [] : [`The verification for the pact between ${consumer} and ${provider} failed`];
}

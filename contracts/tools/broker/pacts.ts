import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConsumerVersionSelector } from '@pact-foundation/pact-core';
import { z } from 'zod';
import { jsonOr } from '../../../spec/json.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { askFor, basicLogin } from '../outgoing.ts';
import { inTemporaryFolder } from '../temporary.ts';
import { PactFileError, readPact } from '../verification/pact-file.ts';
import type { InteractionResult, Verification } from '../verification/result.ts';
import type { PactSource } from '../verification/sources.ts';
import { defaultSelectors } from './selectors.ts';
import type { Broker } from './settings.ts';

export interface BrokerSource {
  broker: Broker;
  /** The provider's name at the broker. */
  provider: string;
  /** Default: the main branch, and deployed or released versions. */
  selectors?: readonly ConsumerVersionSelector[] | undefined;
  /** If true, the results are recorded at the broker; needs `providerVersion`. */
  publish: boolean;
  providerVersion?: string | undefined;
  /** If set, a pact that no version of this branch has satisfied is pending: it is shown, and its failure does not count. */
  providerBranch?: string | undefined;
  /** YYYY-MM-DD: also takes newer unsatisfied pacts of other branches; needs `providerBranch`. */
  includeWipSince?: string | undefined;
  /** A link to the build, stored with the results. */
  buildUrl?: string | undefined;
}

/** A broker's links, by their relation (docs.pact.io/pact_broker/api). `{name}` in an address stands for a value. */
const links = z.object({ _links: z.record(z.string(), z.unknown()) });
const link = z.object({ href: z.string() });

const chosen = z.object({
  _embedded: z.object({
    pacts: z.array(
      z.object({
        _links: z.object({ self: link }),
        verificationProperties: z
          .object({
            pending: z.boolean().default(false),
            notices: z.array(z.object({ when: z.string(), text: z.string() })).default([]),
          })
          .prefault({}),
      }),
    ),
  }),
});

/** Calls a broker. */
class BrokerClient {
  readonly #broker: Broker;

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  /** Returns the text of the answer. Throws `CouldNotRun`, which names the address and holds no secret. `missing` says what a 404 means. */
  async call(method: string, href: string, body?: object, missing?: string): Promise<string> {
    const url = this.address(href);
    const init = {
      method,
      headers: {
        accept: 'application/hal+json, application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...authorization(this.#broker),
      },
      ...(body && { body: JSON.stringify(body) }),
    };
    const reply = await askFor(url, init, `The broker at ${this.#broker.url}`);
    if (reply.status >= 200 && reply.status < 300) return reply.bytes.toString();
    if (reply.status === 404 && missing !== undefined) throw new CouldNotRun(missing);
    const where = url === this.address('') ? `The broker at ${this.#broker.url}` : url;
    throw new CouldNotRun(`${where} answered ${reply.status} ${reply.statusText}.`);
  }

  /** Returns the address of a link in a document of the broker, whose text this is. */
  linkIn(text: string, relation: string, values: Readonly<Record<string, string>> = {}): string {
    const found = link.safeParse(links.safeParse(jsonOr(text, undefined)).data?._links[relation]).data?.href;
    if (found === undefined) throw new CouldNotRun(`The broker at ${this.#broker.url} has no link ${relation}.`);
    return found.replaceAll(/\{(\w+)\}/g, (whole, name) => encodeURIComponent(values[name] ?? whole));
  }

  /**
   * The credentials go to the host that the caller named, whatever host the broker's links have: behind a proxy it may not know its
   * own address.
   */
  address(href: string): string {
    const own = new URL(this.#broker.url);
    const folder = own.pathname.replace(/\/$/, '');
    const found = URL.parse(href, `${this.#broker.url}/`);
    if (found === null) throw new CouldNotRun(`The broker at ${this.#broker.url} has a link that is no address: ${href}.`);
    const { pathname, search } = found;
    const isBelow = `${pathname}/`.startsWith(`${folder}/`);
    return `${own.origin}${isBelow ? '' : folder}${pathname}${search}`;
  }
}

function authorization({ token, username, password = '' }: Broker): { authorization?: string } {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (username === undefined) return {};
  return { authorization: basicLogin(username, password) };
}

/**
 * Runs `work` with the pacts that a broker chooses for a provider, and with the reasons why others cannot be used. Adds the broker's
 * notes to the results, and records them at the broker if the source says so. Throws `CouldNotRun`.
 */
export async function withBrokerPacts(
  source: BrokerSource,
  work: (pacts: PactSource[], unusable: readonly string[]) => Promise<Verification>,
): Promise<Verification> {
  checkSource(source);
  const client = new BrokerClient(source.broker);
  return inTemporaryFolder('broker', async (folder) => {
    const { pacts, notices, unusable } = await fetchPacts(client, source, folder);
    if (unusable[0] !== undefined && pacts.length === 0) throw new CouldNotRun(unusable.join(' '));
    const verification = await work(
      pacts.map(({ pact }) => pact),
      unusable,
    );
    verification.notices.unshift(...notices);
    if (source.publish) verification.notices.push(...(await publish(client, source, pacts, verification.interactions)));
    return verification;
  });
}

function checkSource({ publish, providerVersion, providerBranch, includeWipSince, selectors = [] }: BrokerSource): void {
  if (publish && !providerVersion?.trim())
    throw new CouldNotRun("--publish needs --provider-version, such as the provider's commit hash.");
  if (includeWipSince !== undefined && !isDay(includeWipSince))
    throw new CouldNotRun(`--include-wip must be a date such as 2026-01-31, got '${includeWipSince}'.`);
  const needsBranch = includeWipSince
    ? '--include-wip'
    : selectors.some(({ matchingBranch }) => matchingBranch) && 'The selector matching';
  if (needsBranch && !providerBranch) throw new CouldNotRun(`${needsBranch} needs --provider-branch.`);
}

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);

/** A pact, and the broker's document about it. */
interface BrokerPact {
  pact: PactSource;
  text: string;
}

/** Writes the pacts to the folder: Pact's verifier reads files. */
async function fetchPacts(client: BrokerClient, source: BrokerSource, folder: string) {
  const { provider, selectors = defaultSelectors, providerBranch, includeWipSince } = source;
  const index = await client.call('GET', '');
  const wanted = {
    consumerVersionSelectors: selectors,
    // A broker refuses a question about pending pacts that names no branch.
    includePendingStatus: providerBranch !== undefined,
    ...(providerBranch !== undefined && { providerVersionBranch: providerBranch }),
    ...(includeWipSince !== undefined && { includeWipPactsSince: includeWipSince }),
  };
  const asked = client.linkIn(index, 'pb:provider-pacts-for-verification', { provider });
  const unknown = `The broker at ${source.broker.url} knows no provider "${provider}": --provider-name gives the broker's name for it.`;
  const choice = await client.call('POST', asked, wanted, unknown);
  const { data } = chosen.safeParse(jsonOr(choice, undefined));
  if (data === undefined) throw new CouldNotRun(`The broker at ${source.broker.url} answered without a list of pacts.`);
  // A broker may list a pact twice; its interactions count once.
  const listed = new Map(data._embedded.pacts.map((one) => [client.address(one._links.self.href), one.verificationProperties]));
  if (listed.size === 0)
    throw new CouldNotRun(`The broker at ${source.broker.url} has no pact of ${provider} that --selectors choose.`);
  const pacts: BrokerPact[] = [];
  const unusable: string[] = [];
  const notices = new Set<string>();
  for (const [address, { pending, notices: notes }] of listed) {
    for (const { when, text } of notes) if (when === 'before_verification') notices.add(text);
    const text = await client.call('GET', address);
    const file = join(folder, `${pacts.length}.json`);
    try {
      pacts.push({ pact: { ...readPact(text, address), file, isPending: pending }, text });
      await writeFile(file, text);
    } catch (error) {
      if (!(error instanceof PactFileError)) throw error;
      unusable.push(error.message);
    }
  }
  return { pacts, unusable, notices };
}

/** Records the results of each pact. Returns why those that are missing could not be recorded. */
async function publish(
  client: BrokerClient,
  { providerVersion = '', providerBranch, buildUrl }: BrokerSource,
  pacts: readonly BrokerPact[],
  results: readonly InteractionResult[],
): Promise<string[]> {
  const failures: string[] = [];
  for (const { pact, text } of pacts) {
    const own = results.filter((one) => one.source === pact.source);
    const isWhole = own.length === pact.interactions.length;
    try {
      if (providerBranch !== undefined) {
        const about = await client.call('GET', client.linkIn(text, 'pb:provider'));
        const values = { branch: providerBranch, version: providerVersion };
        await client.call('PUT', client.linkIn(about, 'pb:branch-version', values), {});
      }
      await client.call('POST', client.linkIn(text, 'pb:publish-verification-results'), {
        success: isWhole && own.every(({ outcome }) => outcome === 'verified'),
        providerApplicationVersion: providerVersion,
        ...(buildUrl !== undefined && { buildUrl }),
        testResults: own.map(recordOf),
        verifiedBy: { implementation: 'Passerelle' },
      });
    } catch (error) {
      if (!(error instanceof CouldNotRun)) throw error;
      failures.push(`The results were not recorded with the broker: ${error.message}`);
    }
  }
  return [...new Set(failures)];
}

/** A result as brokers show it. */
const recordOf = ({ id, description, outcome, problems }: InteractionResult) => ({
  interactionId: id,
  interactionDescription: description,
  success: outcome === 'verified',
  ...(problems.length > 0 && {
    mismatches: problems.map(({ kind, path, message }) => ({ attribute: kind, identifier: path, description: message })),
  }),
});

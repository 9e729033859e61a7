import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { type Assessment, type AssumptionFinding, assess } from '../assumptions/check.ts';
import { type Comparison, comparePacts } from '../comparison/compare.ts';
import type { OpenGateway } from '../reference-gateway.ts';
import { today } from '../today.ts';
import { isSuccess } from '../verification/explain.ts';
import { readPact } from '../verification/pact-file.ts';
import type { InteractionResult, Verification } from '../verification/result.ts';
import { verify } from '../verification/run.ts';
import type { PactSource } from '../verification/sources.ts';
import type { WrittenInteraction, WrittenPact } from './pact.ts';

/** The text of a pact's file: the same for the same pact. */
export const pactText = (pact: WrittenPact): string => `${JSON.stringify(sorted(pact), null, 2)}\n`;

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

export interface Settled {
  pact: WrittenPact;
  /** Interactions that the reference implementation, set up with their states, does not verify. They are not in the pact. */
  notRecreated: { description: string; reason: string }[];
}

export interface SettleInput {
  provider: ServiceName;
  /** Opens a reference implementation that tells its other answers. */
  reference: OpenGateway;
  promiseAll: boolean;
}

/**
 * Tries a pact with the reference implementation. Leaves out interactions whose states do not lead to the recorded reply. Adds to
 * each interaction references to the gaps that it was found to depend on. Throws `CouldNotRun`.
 */
export async function settle(pact: WrittenPact, { provider, reference, promiseAll }: SettleInput): Promise<Settled> {
  if (pact.interactions.length === 0) return { pact, notRecreated: [] };
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-pact-'));
  try {
    const file = join(folder, 'pact.json');
    await writeFile(file, pactText(pact));
    const from: PactSource[] = [{ ...readPact(pactText(pact), file), file }];
    const { verification, assessment } = await tried(provider, from, reference);
    const statuses = new Map(pact.interactions.map(({ description, response }) => [description, statusOf(response)]));
    const failed = verification.interactions.flatMap((result) => {
      const reason = reasonOf(result, statuses.get(result.description));
      return reason === undefined ? [] : [{ description: result.description, reason }];
    });
    const missing = new Set(failed.map(({ description }) => description));
    const interactions = pact.interactions
      .filter(({ description }) => !missing.has(description))
      .map((one) => withReferences(one, assessment, promiseAll));
    return { pact: { ...pact, interactions }, notRecreated: failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface Judgement {
  verification: Verification;
  comparison: Comparison;
  assessment: Assessment;
}

/** Verifies and compares pacts, and checks their assumptions, as the commands of these names do. */
export async function judgePacts(provider: ServiceName, from: readonly PactSource[], reference: OpenGateway): Promise<Judgement> {
  return { ...(await tried(provider, from, reference)), comparison: await comparePacts({ provider, pacts: from }) };
}

async function tried(provider: ServiceName, from: readonly PactSource[], reference: OpenGateway) {
  const verified = await verify({ provider, from, reference });
  return { verification: verified.verification, assessment: await assess(provider, verified, today()) };
}

const statusOf = (response: unknown) => (response as { status?: number } | undefined)?.status;

/**
 * Why an interaction is left out. A refusal must have the recorded status, even if the pact accepts any refusal, because another
 * status has another cause. Another provider's success may have another status, if the documents leave it open.
 */
function reasonOf({ outcome, problems, exchange }: InteractionResult, status: number | undefined): string | undefined {
  const got = exchange?.reply?.status;
  const isOther = status !== undefined && got !== undefined && got !== status && !(isSuccess(status) && isSuccess(got));
  if (outcome === 'verified' && !isOther) return undefined;
  const [first] = isOther ? [{ kind: 'status', expected: status, actual: got, message: '' }] : problems;
  const difference = first?.expected === undefined ? first?.message : `expected ${first.expected}, got ${first.actual}`;
  return `its states do not bring its reply about: ${first?.kind ?? 'reply'}: ${difference ?? 'differs'}`;
}

/** Adds the gaps that were found by trying, and removes those that make no difference. */
function withReferences(interaction: WrittenInteraction, { findings }: Assessment, promiseAll: boolean): WrittenInteraction {
  const own = findings.filter(({ description }) => description === interaction.description);
  const open = own.filter(({ verdict }) => verdict === 'over-specified');
  const isOfHeader = ({ problems }: AssumptionFinding) => problems.every(({ kind }) => kind === 'header');
  // A header that rests on a gap is not documented.
  const isUnpromised = !promiseAll && open.some(isOfHeader);
  const { comments, ...rest } = isUnpromised ? withoutHeaders(interaction) : interaction;
  const needless = new Set(own.filter(({ verdict }) => verdict === 'needless').map(({ gap }) => gap.id));
  const found = open.filter((one) => promiseAll || !isOfHeader(one)).map(({ gap }) => [gap.id, gap.choice] as const);
  const before = Object.entries(comments?.references.gap ?? {}).filter(([gap]) => !needless.has(gap));
  const gap = Object.fromEntries([...found, ...before].sort(([one], [other]) => (one < other ? -1 : 1)));
  return { ...rest, ...(Object.keys(gap).length > 0 && { comments: { references: { gap } } }) } as WrittenInteraction;
}

function withoutHeaders(interaction: WrittenInteraction): WrittenInteraction {
  const {
    headers: _,
    matchingRules,
    ...response
  } = interaction.response as { headers?: object; matchingRules?: { header?: object } };
  const { header: __, ...rules } = matchingRules ?? {};
  return { ...interaction, response: { ...response, ...(Object.keys(rules).length > 0 && { matchingRules: rules }) } };
}

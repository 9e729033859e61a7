import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { didYouMean } from '../../../gateway/base/nearest.ts';
import { setZodMessages } from '../../../gateway/http/messages.ts';
import { type ServiceName, serviceNames } from '../../../spec/documents/services.ts';
import { findGap, type Gap, gaps } from '../../../spec/gaps/gaps.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { isTooDeep, jsonOfFile, tooDeep } from '../json.ts';
import { choice, type Finding, other } from './finding.ts';
import { type Judged, judge } from './verdict.ts';

const format = 1;

const counted = { times: z.int().positive(), calls: z.array(z.string()) };
const evidence = z.strictObject({
  shows: z.string().optional(),
  excludes: z.array(z.string()).readonly().optional(),
  because: z.string(),
  ...counted,
});
const contradiction = z.strictObject({ section: z.string(), says: z.string(), saw: z.string(), ...counted });
const evidenceCall = z.strictObject({
  at: z.string(),
  operation: z.string(),
  query: z.array(z.string()),
  /** Of a webhook. */
  headers: z.array(z.string()).optional(),
  request: z.unknown(),
  /** Null: the partner's receiver gave no answer to a webhook. */
  status: z.int().nullable(),
  reply: z.unknown(),
});
const entry = z.looseObject({ gap: z.string(), evidence: z.array(evidence) });
const schema = z.strictObject({
  format: z.int(),
  api: z.enum(serviceNames),
  upstreams: z.array(z.string()).default([]),
  runs: z.int().nonnegative().default(0),
  first_call: z.string().nullable().default(null),
  last_call: z.string().nullable().default(null),
  calls: z.int().nonnegative().default(0),
  webhooks: z.int().nonnegative().default(0),
  operations: z.record(z.string(), z.int()).default({}),
  entries: z.array(entry).default([]),
  contradictions: z.array(contradiction).default([]),
  evidence: z.record(z.string(), evidenceCall).default({}),
});

type Evidence = z.infer<typeof evidence>;
/** A call or webhook as evidence: the names of fields and the kinds of their values. It contains no values. */
export type EvidenceCall = z.infer<typeof evidenceCall>;

export interface ObservedEntry extends Judged {
  gap: string;
  /** What the replies say. `alternatives` and `open` follow from it. */
  evidence: Evidence[];
}

/** The content of `observed.json`. */
export interface Observed extends Omit<z.infer<typeof schema>, 'entries'> {
  /** Every entry of the API's register. */
  entries: ObservedEntry[];
}

export const gapsOf = (api: ServiceName): Gap[] => gaps.filter((gap) => gap.api === api);

export const emptyObserved = (api: ServiceName): Observed => ({ ...schema.parse({ format, api }), entries: entriesOf(api, []) });

export const findingsIn = (entries: readonly Pick<ObservedEntry, 'gap' | 'evidence'>[]): (Finding & Evidence)[] =>
  entries.flatMap(({ gap, evidence: said }) => said.map((one) => ({ gap, ...one })));

export const entriesOf = (api: ServiceName, findings: readonly (Finding & Evidence)[]): ObservedEntry[] =>
  gapsOf(api).map((gap) => {
    const own = findings.filter((one) => one.gap === gap.id).map(({ gap: _, ...said }) => said);
    return { gap: gap.id, ...judge(gap, own), evidence: own };
  });

/** Reads an `observed.json` of an API. Returns undefined if there is no such file. Throws `CouldNotRun` if it cannot be used. */
export async function readIfThere(path: string, api?: ServiceName): Promise<Observed | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    const why = error.code === 'EISDIR' ? 'it is a folder' : error.message;
    throw new CouldNotRun(`${path} cannot be read: ${why}.`);
  });
  return text === undefined ? undefined : parseObserved(text, path, api);
}

export async function readObserved(path: string, api?: ServiceName): Promise<Observed> {
  const found = await readIfThere(path, api);
  if (found) return found;
  throw new CouldNotRun(
    `There is no file ${path}. Write one with passerelle observe ${api ?? 'pos'} --upstream URL --output ${path}.`,
  );
}

export function parseObserved(text: string, path: string, api?: ServiceName): Observed {
  const value = jsonOfFile(text, path);
  if (isTooDeep(value)) throw new CouldNotRun(`${path} was not written by passerelle observe: it is ${tooDeep}.`);
  setZodMessages();
  const { data, error } = schema.safeParse(value);
  const written = (value as { format?: unknown } | null)?.format;
  if (typeof written === 'number' && written !== format)
    throw new CouldNotRun(
      `${path} has format ${written}, and this version reads format ${format}. Write it again with observe --fresh.`,
    );
  if (!data) {
    const [issue] = error.issues;
    const place = issue?.path.join('.') || 'its content';
    throw new CouldNotRun(`${path} was not written by passerelle observe: ${place}: ${issue?.message}.`);
  }
  if (api !== undefined && data.api !== api)
    throw new CouldNotRun(`${path} is about ${data.api}, not about ${api}. Observe ${api} into a file of its own.`);
  checkRegister(data, path);
  return { ...data, entries: entriesOf(data.api, findingsIn(data.entries)) };
}

/**
 * The file may be of another version of the register. Without this check, its statements about an unknown entry would be lost
 * without a message.
 */
function checkRegister({ api, entries }: z.infer<typeof schema>, path: string): void {
  const ids = gapsOf(api).map(({ id }) => id);
  const check = (what: string, name: string, known: string[]) => {
    if (known.includes(name)) return;
    const near = didYouMean(name, known);
    throw new CouldNotRun(
      `${path} names ${what} "${name}", which is not in the gap register of ${api}. ${near}It may be of another version of Passerelle: observe again with --fresh.`,
    );
  };
  for (const { gap, evidence: said } of entries) {
    check('the entry', gap, ids);
    const ways = [...(findGap(gap)?.alternatives ?? []).map(({ id }) => id), choice, other];
    for (const { shows = choice, excludes = [] } of said)
      for (const way of [shows, ...excludes]) check(`of ${gap} the alternative`, way, ways);
  }
}

/**
 * Throws `CouldNotRun` if earlier runs saw another service, because verdicts from two services together would be true for
 * neither.
 */
export function checkUpstream({ upstreams, calls, webhooks }: Observed, upstream: string, path: string): void {
  const [before = upstream] = upstreams;
  if (calls + webhooks === 0 || (before === upstream && upstreams.length <= 1)) return;
  throw new CouldNotRun(
    `${path} has what was seen of ${upstreams.join(' and ')}, and --upstream is ${upstream}. Write to another file with --output FILE, or forget what it has with --fresh.`,
  );
}

/** Replaces the file at once, so that a program that is killed leaves a whole one. */
export async function writeObserved(path: string, observed: Observed): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, `${JSON.stringify(observed, null, 2)}\n`);
    await rename(temporary, path);
  } catch (error) {
    throw new CouldNotRun(`${path} cannot be written: ${(error as Error).message}.`);
  }
}

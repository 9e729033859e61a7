import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { didYouMean } from '../../../gateway/base/nearest.ts';
import { setZodMessages } from '../../../gateway/http/messages.ts';
import { type ServiceName, serviceNames } from '../../../spec/documents/services.ts';
import { findAlternative, findGap, gapsOf } from '../../../spec/gaps/gaps.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { isTooDeep, jsonOfFile, tooDeep } from '../json.ts';
import { choice, type Judged, judge, other } from './finding.ts';

const format = 1;

const evidence = z.strictObject({
  shows: z.string().optional(),
  excludes: z.array(z.string()).readonly().optional(),
  because: z.string(),
  times: z.int().positive(),
  /** The first of them, such as `call 3: POST /sales answered 200`. */
  calls: z.array(z.string()),
});
const schema = z.strictObject({
  format: z.int(),
  api: z.enum(serviceNames),
  upstream: z.string().optional(),
  calls: z.int().nonnegative().default(0),
  webhooks: z.int().nonnegative().default(0),
  entries: z.array(z.looseObject({ gap: z.string(), evidence: z.array(evidence) })).default([]),
});

export type Evidence = z.infer<typeof evidence>;

export interface ObservedEntry extends Judged {
  gap: string;
  /** What was seen. The rest follows from it. */
  evidence: Evidence[];
}

/** The content of `observed.json`. It contains no value of a call, and no name that only the service has. */
export interface Observed extends Omit<z.infer<typeof schema>, 'entries'> {
  /** Every entry of the API's register. */
  entries: ObservedEntry[];
}

export const entriesOf = (api: ServiceName, said: ReadonlyMap<string, Evidence[]>): ObservedEntry[] =>
  gapsOf(api).map((gap) => ({ gap: gap.id, ...judge(gap, said.get(gap.id) ?? []), evidence: said.get(gap.id) ?? [] }));

export const evidenceIn = (entries: readonly Pick<ObservedEntry, 'gap' | 'evidence'>[]): Map<string, Evidence[]> =>
  new Map(entries.map(({ gap, evidence: said }) => [gap, said]));

export const emptyObserved = (api: ServiceName): Observed => ({
  ...schema.parse({ format, api }),
  entries: entriesOf(api, new Map()),
});

/** Reads an `observed.json` of an API. Returns undefined if there is no such file. Throws `CouldNotRun` if it cannot be used. */
export async function readIfThere(path: string, api?: ServiceName): Promise<Observed | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new CouldNotRun(`${path} cannot be read: ${error.code === 'EISDIR' ? 'it is a folder' : error.message}.`);
  });
  return text === undefined ? undefined : parseObserved(text, path, api);
}

export async function readObserved(path: string, api?: ServiceName): Promise<Observed> {
  const found = await readIfThere(path, api);
  if (found) return found;
  const advice = `Write one with passerelle observe ${api ?? 'pos'} --upstream URL --output ${path}.`;
  throw new CouldNotRun(`There is no file ${path}. ${advice}`);
}

export function parseObserved(text: string, path: string, api?: ServiceName): Observed {
  const value = jsonOfFile(text, path);
  const foreign = (why: string) => new CouldNotRun(`${path} was not written by passerelle observe: ${why}.`);
  if (isTooDeep(value)) throw foreign(`it is ${tooDeep}`);
  setZodMessages();
  const { data, error } = schema.safeParse(value);
  const [issue] = error?.issues ?? [];
  if (!data) throw foreign(`${issue?.path.join('.') || 'its content'}: ${issue?.message}`);
  if (data.format !== format) throw foreign(`it has format ${data.format}, and this version reads format ${format}`);
  if (api !== undefined && data.api !== api)
    throw new CouldNotRun(`${path} is about ${data.api}, not about ${api}. Observe ${api} into a file of its own.`);
  for (const entry of data.entries) checkEntry(entry, data.api, path);
  return { ...data, entries: entriesOf(data.api, evidenceIn(data.entries)) };
}

/** The file may be of another version of the register. What it says of an unknown entry would be lost without a message. */
function checkEntry({ gap, evidence: said }: Pick<ObservedEntry, 'gap' | 'evidence'>, api: ServiceName, path: string): void {
  const ways = said.flatMap(({ shows = choice, excludes = [] }) => [shows, ...excludes]);
  const unknown = ways.find((way) => way !== choice && way !== other && findAlternative(`${gap}=${way}`) === undefined);
  const isOwn = findGap(gap)?.api === api;
  if (isOwn && unknown === undefined) return;
  const [name, known] = isOwn
    ? [`${gap}=${unknown}`, findGap(gap)?.alternatives.map(({ id }) => `${gap}=${id}`)]
    : [gap, gapsOf(api).map(({ id }) => id)];
  const advice = 'It may be of another version of Passerelle: delete it and observe again.';
  const register = `which is not in the gap register of ${api}`;
  throw new CouldNotRun(`${path} names ${name}, ${register}. ${didYouMean(name, known ?? [])}${advice}`);
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

import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { didYouMean } from '../../../gateway/base/nearest.ts';
import { setZodMessages } from '../../../gateway/http/messages.ts';
import { type ServiceName, serviceNames } from '../../../spec/documents/services.ts';
import { gapsOf, nameAlternative } from '../../../spec/gaps/gaps.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { isTooDeep, jsonOfFile, tooDeep } from '../json.ts';
import { type Judged, judge } from './finding.ts';

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
  entries: z.array(z.object({ gap: z.string(), evidence: z.array(evidence) })).default([]),
});

export interface ObservedEntry extends Judged {
  gap: string;
  /** What was seen. The rest follows from it. */
  evidence: z.infer<typeof evidence>[];
}

/** The content of `observed.json`. It contains no value of a call, and no name that only the service has. */
export interface Observed extends z.infer<typeof schema> {
  /** Every entry of the API's register. */
  entries: ObservedEntry[];
}

/** Judges what was seen anew. */
export const judged = (stored: z.infer<typeof schema>): Observed => ({
  ...stored,
  entries: gapsOf(stored.api).map((gap) => {
    const { evidence: said = [] } = stored.entries.find((one) => one.gap === gap.id) ?? {};
    return { gap: gap.id, ...judge(gap, said), evidence: said };
  }),
});

export const emptyObserved = (api: ServiceName): Observed => judged(schema.parse({ format, api }));

/** Returns undefined if there is no such file. */
export const readIfThere = async (path: string, api?: ServiceName): Promise<Observed | undefined> =>
  existsSync(path) ? readObserved(path, api) : undefined;

/** Reads an `observed.json` of an API. Throws `CouldNotRun` if it cannot be used. */
export async function readObserved(path: string, api?: ServiceName): Promise<Observed> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const advice = `Write one with passerelle observe ${api ?? 'pos'} --upstream URL --output ${path}.`;
    if (error.code === 'ENOENT') throw new CouldNotRun(`There is no file ${path}. ${advice}`);
    throw new CouldNotRun(`${path} cannot be read: ${error.code === 'EISDIR' ? 'it is a folder' : error.message}.`);
  });
  return parseObserved(text, path, api);
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
  // The file may be of another version of the register. What it says of an unknown entry would be lost without a message.
  const known = gapsOf(data.api).flatMap(({ id, alternatives: all }) => [id, ...all.map((one) => nameAlternative(id, one.id))]);
  const named = data.entries.flatMap(({ gap, evidence: said }) => [
    gap,
    ...said.flatMap(({ shows = [], excludes = [] }) => [shows, excludes].flat().map((way) => nameAlternative(gap, way))),
  ]);
  const unknown = named.find((name) => !known.includes(name));
  if (unknown === undefined) return judged(data);
  const advice = `${didYouMean(unknown, known)}It may be of another version of Passerelle: delete it and observe again.`;
  throw new CouldNotRun(`${path} names ${unknown}, which is not in the gap register of ${data.api}. ${advice}`);
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

import { Command, InvalidArgumentError, Option } from 'commander';
import { CouldNotRun } from '../contracts/tools/could-not-run.ts';
import { count } from '../contracts/tools/reports/plain.ts';
import { firstIdAt } from '../gateway/base/ids.ts';
import { HourDigests, hourMs } from '../gateway/webhooks/outbox/hours.ts';
import { type Only, type Period, ProfileClient } from '../stubs/listen/profile.ts';
import { commaSeparated, exitCodes, say, tell } from './command.ts';
import { openProgress } from './progress.ts';
import { atOption } from './running.ts';
import { nameOfInput, textLines } from './text-lines.ts';

interface Options extends Only {
  at?: string;
  token?: string;
  since?: number;
  until?: number;
  fetch: boolean;
  json: boolean;
}

const examples = `
Each line of the file must have one webhook-id: a list of them, the headers or events that you stored as JSON lines, a log.

Examples:
  $ passerelle reconcile stored.txt --at https://gateway.example.org --token "$TOKEN"
  $ psql -Atc "select webhook_id from webhooks" | passerelle reconcile - --since 2026-11-01T00:00:00Z
  $ passerelle reconcile stored.jsonl --fetch > missing.jsonl
  $ passerelle reconcile erp.txt --consumer erp

Exit codes: 0 nothing is missing, 1 events are missing, 2 could not be compared.`;

export const reconcileCommand = (): Command =>
  new Command('reconcile')
    .summary('find the events that a partner misses')
    .description(
      'Compares the webhook-ids that a partner stored with the digests of the gateway or stub, hour by hour, and looks into the hours that differ. Says which events are missing.',
    )
    .argument('<file>', 'what you stored, with one webhook-id in each line; - reads standard input')
    .addOption(atOption('the gateway, or a stub with --console'))
    .addOption(new Option('--token <token>', 'your access token of the API').env('PASSERELLE_TOKEN'))
    .option(
      '--since <time>',
      'the hour at which the period begins, such as 2026-11-25T00:00:00Z (default: 24 hours before --until)',
      hourOf,
    )
    .option('--until <time>', 'its end (default: the beginning of this hour, whose events may still be under way)', hourOf)
    .option('--types <types>', 'compare only these event types, separated by commas', commaSeparated)
    .option('--consumer <name>', 'compare only the event types of this pull consumer')
    .option('--fetch', 'print the missing events, with their payloads, as JSON lines', false)
    .option('--json', 'print JSON', false)
    .addHelpText('after', examples)
    .action(async (file: string, options: Options) => {
      process.exitCode = await run(file, options);
    });

function hourOf(value: string): number {
  const ms = /T.*(Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : Number.NaN;
  if (ms % hourMs === 0) return ms;
  throw new InvalidArgumentError('It must be the beginning of an hour with its zone, such as 2026-11-25T08:00:00Z.');
}

function periodOf({ since, until = Math.floor(Date.now() / hourMs) * hourMs }: Options): Period {
  const period = { fromMs: since ?? until - 24 * hourMs, toMs: until };
  if (period.fromMs < period.toMs) return period;
  const [start, end] = [period.fromMs, period.toMs].map((ms) => new Date(ms).toISOString());
  throw new CouldNotRun(`The period ends at ${end}, which is not after its beginning (${start}): change --since or --until.`);
}

async function run(file: string, options: Options): Promise<number> {
  const { at, token, fetch, json } = options;
  if (at === undefined)
    throw new CouldNotRun('reconcile needs the address of the gateway or stub: pass --at or set PASSERELLE_URL.');
  if (token === undefined)
    throw new CouldNotRun('reconcile needs your access token of the API: pass --token or set PASSERELLE_TOKEN.');
  if (fetch && json) throw new CouldNotRun('--fetch prints the events as JSON lines: leave out --json.');
  const period = periodOf(options);
  const client = new ProfileClient({ at, token });
  const hours = await compare(client, await storedIds(file, period), { ...period, ...options });
  const missing = hours.flatMap((hour) => hour.missing);
  if (json) say(JSON.stringify({ ...spanOf(period), missing: missing.length, hours }, null, 2));
  else (fetch ? tell : say)(reportOf(hours, period, { listed: !fetch }));
  if (fetch) await print(client, missing);
  return missing.length === 0 ? exitCodes.ok : exitCodes.failed;
}

/** Returns the ids of a period in ascending order. Throws `CouldNotRun`, which names the line. */
async function storedIds(file: string, { fromMs, toMs }: Period): Promise<string[]> {
  const [first, end] = [firstIdAt('evt', fromMs), firstIdAt('evt', toMs)];
  const stored = new Set<string>();
  let number = 0;
  for await (const { text } of textLines(file)) {
    number += 1;
    if (text.trim() === '') continue;
    const ids = new Set(text.match(/\bevt_[0-9a-f]{32}\b/g));
    const [id] = ids;
    if (id === undefined || ids.size > 1)
      throw new CouldNotRun(
        `Line ${number} of ${nameOfInput(file)} has ${id === undefined ? 'no' : 'more than one'} webhook-id, such as evt_019a... in full length: "${text.trim().slice(0, 60)}".`,
      );
    // A copy: the match would keep the whole line in memory.
    if (id > first && id < end) stored.add(Buffer.from(id).toString());
  }
  return [...stored].sort();
}

/** An hour that differs. */
interface Difference {
  hour: string;
  missing: string[];
  /** Stored, but no event that the partner may see now. */
  unknown: string[];
}

/** Asks for the digests day by day, and for the ids of the hours whose digest differs. */
async function compare(
  client: ProfileClient,
  stored: readonly string[],
  { fromMs, toMs, types, consumer }: Period & Only,
): Promise<Difference[]> {
  const own = new Map(
    new HourDigests({ withIds: true })
      .add(stored)
      .end()
      .map((hour) => [hour.startMs, hour]),
  );
  const days = Math.ceil((toMs - fromMs) / (24 * hourMs));
  const progress = openProgress('Comparing ', 'day', days);
  const differences: Difference[] = [];
  for (let day = 0; day < days; day++) {
    progress.step(day + 1);
    const startMs = fromMs + day * 24 * hourMs;
    const endMs = Math.min(toMs, startMs + 24 * hourMs);
    const theirs = new Map(
      (await client.digest({ fromMs: startMs, toMs: endMs, types, consumer })).map(({ hour, hash }) => [Date.parse(hour), hash]),
    );
    for (let hourStart = startMs; hourStart < endMs; hourStart += hourMs) {
      const mine = own.get(hourStart);
      if (mine?.hash === theirs.get(hourStart)) continue;
      const [found] = await client.digest({ fromMs: hourStart, toMs: hourStart + hourMs, ids: true, types, consumer });
      differences.push(differenceOf(hourStart, new Set(found?.ids), new Set(mine?.ids)));
    }
  }
  progress.end();
  return differences;
}

const differenceOf = (startMs: number, theirs: ReadonlySet<string>, mine: ReadonlySet<string>): Difference => ({
  hour: new Date(startMs).toISOString(),
  missing: [...theirs.difference(mine)],
  unknown: [...mine.difference(theirs)],
});

const spanOf = ({ fromMs, toMs }: Period) => ({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() });

function reportOf(hours: readonly Difference[], period: Period, { listed }: { listed: boolean }): string {
  const { from, to } = spanOf(period);
  const total = (which: 'missing' | 'unknown') => hours.reduce((sum, hour) => sum + hour[which].length, 0);
  const [missing, unknown] = [total('missing'), total('unknown')];
  const lines = hours
    .filter((hour) => hour.missing.length > 0)
    .flatMap((hour) => [`${hour.hour}  ${hour.missing.length} missing`, ...(listed ? hour.missing.map((id) => `  ${id}`) : [])]);
  const others = `${count(unknown, 'id')} of yours ${unknown === 1 ? 'is' : 'are'} of no event that you may see now: of a test, of another type, too old to be kept, or of another gateway.`;
  const result = missing === 0 ? 'No event is missing' : `${count(missing, 'event')} missing`;
  return [...lines, ...(unknown > 0 ? [others] : []), `${result} from ${from} to ${to}.`].join('\n');
}

/** Events that are asked for at once. */
const mostAsked = 100;

async function print(client: ProfileClient, ids: readonly string[]): Promise<void> {
  const progress = openProgress('Fetching ', 'event', ids.length);
  for (let at = 0; at < ids.length; at += mostAsked) {
    progress.step(at + 1);
    for (const event of await client.events(ids.slice(at, at + mostAsked))) say(JSON.stringify(event));
  }
  progress.end();
}

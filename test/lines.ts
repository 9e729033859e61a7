/**
 * Counts the hand-written lines of each room, source apart from tests, and the bytes of generated files.
 *
 *     npm run lines                   of the files as they are
 *     npm run lines -- main HEAD      of these revisions, side by side
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

interface Counted {
  /** Lines by room; the rooms of tests begin with "test". */
  rooms: Map<string, number>;
  generatedBytes: number;
}

const handWritten = /\.(ts|tsx|js|mjs|css|php|py|rb|go|java|cs)$/;
const generated = [
  // Also where they were: it compares revisions.
  /^(clients\/generated|spec\/types)\//,
  /^contracts\/(openapi|pacts)\/.*\.json$/,
  /^spec\/openapi\/.*\.json$/,
  /^stubs\/examples\/.*\.json$/,
  /^deploy\/.*\.json$/,
];
const rooms = /^(gateway\/[^/]+|test\/[^/]+|[^/]+)\//;

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 30 });
const isTest = (file: string) => /^test\/|\.(test|pact)\./.test(file);

/** Returns the name of the room of a file. Tests beside the source count as tests. */
function nameRoom(file: string): string {
  const room = rooms.exec(file)?.[1] ?? '(root)';
  return isTest(file) && !room.startsWith('test') ? `test of ${room}` : room;
}

/** Counts a revision, or the files as they are. */
function count(revision?: string): Counted {
  const files = git(...(revision === undefined ? ['ls-files'] : ['ls-tree', '-r', '--name-only', revision]));
  const counted: Counted = { rooms: new Map(), generatedBytes: 0 };
  for (const file of files.trim().split('\n')) {
    const bytes = () => (revision === undefined ? statSync(file).size : Number(git('cat-file', '-s', `${revision}:${file}`)));
    if (generated.some((one) => one.test(file))) counted.generatedBytes += bytes();
    else if (handWritten.test(file)) {
      const text = revision === undefined ? readFileSync(file, 'utf8') : git('show', `${revision}:${file}`);
      const room = nameRoom(file);
      counted.rooms.set(room, (counted.rooms.get(room) ?? 0) + text.split('\n').length - 1);
    }
  }
  return counted;
}

const revisions = process.argv.length > 2 ? process.argv.slice(2) : [undefined];
const counts = revisions.map(count);
const names = [...new Set(counts.flatMap((one) => [...one.rooms.keys()]))].sort();
const isTestRoom = (name: string) => name.startsWith('test');
const sum = ({ rooms: own }: Counted, isWanted: (name: string) => boolean) =>
  [...own].reduce((total, [name, lines]) => total + (isWanted(name) ? lines : 0), 0);
const print = (name: string, values: number[]) =>
  process.stdout.write(`| ${name.padEnd(24)} | ${values.map((one) => String(one).padStart(8)).join(' | ')} |\n`);

process.stdout.write(`| ${'room'.padEnd(24)} | ${revisions.map((one) => (one ?? 'lines').padStart(8)).join(' | ')} |\n`);
process.stdout.write(`|---|${revisions.map(() => '---:|').join('')}\n`);
for (const name of names)
  print(
    name,
    counts.map((one) => one.rooms.get(name) ?? 0),
  );
print(
  'source in all',
  counts.map((one) => sum(one, (name) => !isTestRoom(name))),
);
print(
  'tests in all',
  counts.map((one) => sum(one, isTestRoom)),
);
print(
  'generated, in bytes',
  counts.map((one) => one.generatedBytes),
);

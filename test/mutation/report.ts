import { isEquivalent } from './equivalent.ts';

export interface Draw {
  /** Percentage of all mutants. */
  share: number;
  seed: number;
}

/** Why Stryker runs no test for a mutant that was not drawn. */
export const notDrawn = 'not drawn';

/** What `npm run mutants` reads of Stryker's report. */
export interface MutationReport {
  files: Record<string, { source: string; mutants: MutantResult[] }>;
}

export interface MutantResult {
  mutatorName: string;
  replacement?: string;
  status: string;
  statusReason?: string;
  location: { start: Position; end: Position };
}

interface Position {
  line: number;
  column: number;
}

/** Returns the text between two positions, on one line. */
function originalOf(source: string, { start, end }: MutantResult['location']): string {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines.push((lines.pop() ?? '').slice(0, end.column - 1));
  lines[0] = (lines[0] ?? '').slice(start.column - 1);
  return lines.join(' ').replace(/\s+/g, ' ');
}

/** Returns the bounds of a share, with 95 % confidence (Wilson). */
function interval(part: number, all: number): [number, number] {
  const z = 1.96;
  const share = part / all;
  const centre = share + z ** 2 / (2 * all);
  const half = z * Math.sqrt((share * (1 - share) + z ** 2 / (4 * all)) / all);
  return [(centre - half) / (1 + z ** 2 / all), (centre + half) / (1 + z ** 2 / all)];
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** What runs while a file is loaded is ignored. */
export const wasDrawn = ({ status, statusReason }: MutantResult): boolean => status !== 'Ignored' && statusReason !== notDrawn;

/** Returns the share of the drawn mutants that tests notice, its interval, and those that none notices. */
export function describeResults({ files }: MutationReport, { share, seed }: Draw): string {
  const all = Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file, was: originalOf(source, mutant.location) })),
  );
  const ran = all.filter(wasDrawn);
  const counted = ran.filter((mutant) => !isEquivalent(mutant));
  const survivors = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const late = counted.filter(({ status, statusReason }) => status === 'Timeout' || /timed out in/.test(statusReason ?? ''));
  const killed = counted.length - survivors.length;
  const [low, high] = interval(killed, counted.length);
  return [
    ...survivors.map(
      ({ file, location, mutatorName, was, replacement, status }) =>
        `${file}:${location.start.line} ${mutatorName}${status === 'NoCoverage' ? ' (no test runs it)' : ''}: ${was} -> ${replacement}`,
    ),
    `${counted.length} mutants of ${all.length} (share ${share}, seed ${seed}; ${ran.length - counted.length} more are equivalent):`,
    `${killed} noticed, ${percent(killed / counted.length)} (95 %: ${percent(low)} to ${percent(high)}), ${late.length} of them only because a test waited too long.`,
  ].join('\n');
}

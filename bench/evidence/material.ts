/** What nobody here wrote, and what came of running it. Only the counts are kept. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A row of docs/evidence.md. */
export interface Evidence {
  /** What was run against what. */
  what: string;
  /** The version or the commit of what was run. */
  version: string;
  cases: number;
  agreed: number;
  /** The cases that did not agree, by the reason. */
  others: readonly { cases: number; why: string }[];
}

/** A clone of a public repository, which may be bare. Files are read from its commits; nothing is checked out. */
export interface Clone {
  commit(branch?: string): string;
  /** The paths of the files in a folder of a branch. */
  list(folder: string, branch?: string): string[];
  read(path: string, branch?: string): string;
  /** Writes the files in a folder to another one. */
  extract(folder: string, to: string): void;
}

export class UnusableClone extends Error {}

export function cloneIn(folder: string, repository = ''): Clone {
  const git = (...args: string[]) => {
    try {
      return execFileSync('git', ['-C', folder, ...args], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      const [said = ''] = String((error as { stderr?: unknown }).stderr ?? error).split('\n');
      throw new UnusableClone(`${folder} is no clone of github.com/${repository}: ${said}`);
    }
  };
  // A folder inside another repository is none.
  if (repository !== '' && git('rev-parse', '--show-prefix').trim() !== '')
    throw new UnusableClone(`${folder} is no clone of github.com/${repository}: it is a folder inside another one.`);
  return {
    commit: (branch = 'HEAD') => git('rev-parse', '--short=8', branch).trim(),
    list: (under, branch = 'HEAD') => git('ls-tree', '-r', '-z', '--name-only', branch, '--', under).split('\0').filter(Boolean),
    read: (path, branch = 'HEAD') => git('show', `${branch}:${path}`),
    extract: (under, to) => {
      git('archive', '--format=tar', '-o', join(to, 'files.tar'), `HEAD:${under}`);
      execFileSync('tar', ['-xf', 'files.tar'], { cwd: to });
    },
  };
}

/** What `rows` have less of than the rows that were kept before, as sentences. A program that is not there makes fewer cases for all. */
export function lossesOf(kept: readonly Evidence[], rows: readonly Evidence[]): string[] {
  return kept.flatMap(({ what, cases }) => {
    const now = rows.find((row) => row.what === what);
    if (now === undefined) return [`This run has no row "${what}".`];
    return now.cases < cases ? [`"${what}" has ${now.cases} of ${cases} cases.`] : [];
  });
}

/** Counts the cases that have a reason, by the reason, the most frequent first. */
export function byReason(reasons: readonly string[]): Evidence['others'] {
  const counts = new Map<string, number>();
  for (const why of reasons) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, cases]) => ({ cases, why })).toSorted((one, other) => other.cases - one.cases);
}

/** Serves on this machine until it is closed. */
export async function serving(answer: RequestListener): Promise<{ url: string; close(): void }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

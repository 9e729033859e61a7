import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import type { VerifierOptions } from '@pact-foundation/pact-core';
import { z } from 'zod';
import { moduleFile } from '../../../gateway/base/module-file.ts';
import { CouldNotRun } from '../could-not-run.ts';
import { environmentOfChild } from '../outgoing.ts';
import { requirePartsOf } from '../parts.ts';
import type { PactVerdict } from './pact-process.ts';

const mismatch = z.looseObject({
  type: z.string(),
  mismatch: z.string().optional(),
  path: z.string().optional(),
  key: z.string().optional(),
  parameter: z.string().optional(),
  expected: z.unknown(),
  actual: z.unknown(),
});
export type Mismatch = z.output<typeof mismatch>;

const interaction = z.looseObject({
  consumer: z.string().default(''),
  provider: z.string().default(''),
  description: z.string().default(''),
  duration: z.string().default(''),
  pending: z.boolean().default(false),
  providerStates: z.array(z.string()).default([]),
  result: z.string(),
  mismatch: z
    .looseObject({ type: z.string(), message: z.string().optional(), mismatches: z.array(mismatch).default([]) })
    .nullish(),
});

const results = z.looseObject({
  interactionResults: z.array(interaction).default([]),
  errors: z
    .array(
      z.looseObject({
        interaction: z.string().default(''),
        mismatch: z.looseObject({ message: z.string().optional() }).nullish(),
      }),
    )
    .default([]),
  /** False if any interaction failed that is not pending. */
  result: z.boolean(),
});

export type PactResults = z.output<typeof results>;

/**
 * Returns the environment without Pact's variables. Pact would read them: a broker's address adds its pacts, and a
 * description filter skips interactions.
 */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(environmentOfChild()).filter(([name]) => !name.startsWith('PACT_'));
  return { ...Object.fromEntries(others), PACT_DO_NOT_TRACK: 'true' };
}

/** A process of Pact's verifier, which makes one run at a time. */
interface Verifier {
  child: ChildProcess;
  /** The output of its run. */
  printed: string[];
  /** Resolves when it has ended and its output is read. */
  closed: Promise<void>;
}

/**
 * Processes that wait for their next run. A new one costs 0.35 s of CPU, a short run 0.05 s, and each file of a
 * folder of pacts is a run. They end with this process.
 */
const idle = new Set<Verifier>();

/** Runs Pact's verifier in another process. Throws `CouldNotRun`. */
export async function runPact(options: VerifierOptions): Promise<PactResults> {
  requirePartsOf('passerelle verify');
  const [verifier = startVerifier()] = idle;
  idle.delete(verifier);
  for (const handle of handlesOf(verifier)) handle?.ref();
  const verdict = await ask(verifier, options);
  if ('results' in verdict) {
    // This process may end before one that waits.
    for (const handle of handlesOf(verifier)) handle?.unref();
    idle.add(verifier);
    return results.parse(JSON.parse(verdict.results));
  }
  if (verifier.child.connected) verifier.child.disconnect();
  await verifier.closed;
  throw new CouldNotRun(`${verdict.error} ${verifier.printed.join('').slice(-2000)}`.trim());
}

function startVerifier(): Verifier {
  const child = fork(moduleFile('./pact-process.ts', import.meta.url), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environment(), ...oneAuthority() },
    execArgv: [],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk.toString()));
  const verifier = { child, printed, closed: new Promise<void>((resolve) => child.once('close', () => resolve())) };
  child.once('disconnect', () => idle.delete(verifier));
  return verifier;
}

/** Returns what keeps this process alive while a verifier lives. */
const handlesOf = ({ child }: Verifier) => [child, child.channel, child.stdout as Socket | null, child.stderr as Socket | null];

async function ask({ child, printed, closed }: Verifier, options: VerifierOptions): Promise<PactVerdict> {
  printed.length = 0;
  const done = new AbortController();
  const received = once(child, 'message', done);
  // On a busy machine the end of the process is known before its message is read. The channel ends after it.
  const ended = once(child, 'disconnect', done).then(async () => {
    await closed;
    return [{ error: `Pact's verifier ended (${child.signalCode ?? `exit ${child.exitCode}`}).` }];
  });
  try {
    child.send(options as object);
    const [verdict] = await Promise.race([received, ended]);
    return verdict;
  } catch (error) {
    return { error: (error as Error).message };
  } finally {
    done.abort();
  }
}

let authority: NodeJS.ProcessEnv | undefined;

/**
 * Writes a list of certificate authorities with one entry, and returns the variables that name it. For each interaction the
 * verifier reads and parses all of the system's, which is most of its work. It needs none, because it calls the harness over
 * plain HTTP, but refuses an empty list.
 */
function oneAuthority(): NodeJS.ProcessEnv {
  if (authority) return authority;
  const folder = mkdtempSync(join(tmpdir(), 'passerelle-pact-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const [file, others] = [join(folder, 'authority.pem'), join(folder, 'none')];
  writeFileSync(file, rootCertificates[0] ?? '');
  mkdirSync(others);
  authority = { SSL_CERT_FILE: file, SSL_CERT_DIR: others };
  return authority;
}

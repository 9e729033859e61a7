import { fork } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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

/** Runs Pact's verifier in a child process. Throws `CouldNotRun`. */
export async function runPact(options: VerifierOptions): Promise<PactResults> {
  requirePartsOf('passerelle verify');
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-pact-'));
  try {
    return await runWith(await oneAuthority(folder), options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes a list of certificate authorities with one entry, and returns the variables that name it. For each interaction the
 * verifier reads and parses all of the system's, which is most of its work. It needs none, because it calls the harness over
 * plain HTTP, but refuses an empty list.
 */
async function oneAuthority(folder: string): Promise<NodeJS.ProcessEnv> {
  const [file, others] = [join(folder, 'authority.pem'), join(folder, 'none')];
  await writeFile(file, rootCertificates[0] ?? '');
  await mkdir(others);
  return { SSL_CERT_FILE: file, SSL_CERT_DIR: others };
}

async function runWith(authorities: NodeJS.ProcessEnv, options: VerifierOptions): Promise<PactResults> {
  const child = fork(moduleFile('./pact-process.ts', import.meta.url), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...environment(), ...authorities },
    execArgv: [],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const received = await new Promise<PactVerdict | undefined>((resolve) => {
    child.once('message', (message) => resolve(message as PactVerdict));
    child.once('error', (error) => resolve({ error: error.message }));
    // On a busy machine the end of the process is known before its message is read. The channel ends after it.
    child.once('disconnect', () => resolve(undefined));
    child.send(options as object);
  });
  await closed;
  const verdict = received ?? { error: `Pact's verifier ended (${child.signalCode ?? `exit ${child.exitCode}`}).` };
  const printed = output.join('');
  if ('results' in verdict) return results.parse(JSON.parse(verdict.results));
  throw new CouldNotRun(`${verdict.error} ${printed.slice(-2000)}`.trim());
}

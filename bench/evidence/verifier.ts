/** Pact's verifier alone, without our harness. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runPact } from '../../contracts/tools/verification/pact.ts';
import { problemsIn } from '../../contracts/tools/verification/run.ts';
import { serving } from './material.ts';

/** An interaction whose state is its number, so that one with the same request and state as another has an answer of its own. */
export const numbered = <I extends object>(one: I, index: number) => ({
  ...one,
  providerState: String(index),
  description: `${index}`,
});

export interface Subject {
  /** Messages are asked for at `/message` below it. */
  url: string;
  headers?: Record<string, string>;
  /** Called before interaction `index`. */
  prepare(index: number): void;
}

/** Returns for each interaction what is wrong, or undefined. */
export async function verifiedBy({ url, headers = {}, prepare }: Subject, pact: object): Promise<(string | undefined)[]> {
  const folder = await mkdtemp(join(tmpdir(), 'passerelle-evidence-'));
  const states = await serving(async (request, response) => {
    prepare(Number(JSON.parse(Buffer.concat(await request.toArray()).toString()).state));
    response.end('{}');
  });
  try {
    await writeFile(join(folder, 'pact.json'), JSON.stringify(pact));
    const { interactionResults } = await runPact({
      provider: 'a stranger',
      providerBaseUrl: url,
      pactUrls: [join(folder, 'pact.json')],
      providerStatesSetupUrl: states.url,
      transports: [{ protocol: 'message', port: Number(new URL(url).port), path: '/message' }],
      customProviderHeaders: Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      logLevel: 'error',
    });
    const results = new Map(interactionResults.map((one) => [Number(one.description), one]));
    const { interactions = [], messages = [] } = pact as { interactions?: object[]; messages?: object[] };
    return [...interactions, ...messages].map((_, index) => {
      const result = results.get(index);
      if (result === undefined) return 'not verified';
      return result.result === 'OK'
        ? undefined
        : problemsIn(result)
            .map(({ message }) => message)
            .join('; ');
    });
  } finally {
    states.close();
    await rm(folder, { recursive: true });
  }
}

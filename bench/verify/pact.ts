import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceName } from '../../contracts/documents/services.ts';

export interface HttpInteraction {
  type: string;
  description: string;
  providerStates?: unknown;
  request: { headers?: Record<string, string[]> };
  response: { status: number; headers?: Record<string, string[]>; body?: { content: unknown } };
}

export interface LongPact {
  interactions: HttpInteraction[];
}

const folder = join(import.meta.dirname, '../../contracts/pacts');
const ours: Readonly<Record<ServiceName, readonly string[]>> = {
  pos: ['till-pos.json', 'back-office-report-pos.json'],
  cohesion: ['dashboard-cohesion.json', 'funder-cohesion.json'],
};

/**
 * Returns a pact with this number of interactions: the HTTP interactions of our own pacts in turns, with their states and
 * matchers, each with a description of its own.
 */
export function longPact(provider: ServiceName, interactions: number): LongPact {
  const pacts = ours[provider].map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as LongPact);
  const http = pacts.flatMap((pact) => pact.interactions).filter(({ type }) => type === 'Synchronous/HTTP');
  return {
    ...pacts[0],
    interactions: Array.from({ length: interactions }, (_, index) => {
      const one = http[index % http.length] as HttpInteraction;
      return { ...one, description: `${one.description} (${index + 1})` };
    }),
  };
}

export const numberHeader = 'x-bench-interaction';

/** Returns the pact without states, with the interaction's number in each request: what Pact's verifier alone can verify. */
export const numbered = (pact: LongPact): LongPact => ({
  ...pact,
  interactions: pact.interactions.map(({ providerStates: _, ...one }, index) => ({
    ...one,
    request: { ...one.request, headers: { ...one.request.headers, [numberHeader]: [String(index)] } },
  })),
});

import type { FastifyContextConfig } from 'fastify';
import type { GapId } from '../../spec/gaps/gaps.ts';

/** The operations of an API that share entries of the gap register. */
export type SharedBy = 'every operation' | 'needs a token' | 'has a body' | 'reads';

/**
 * Entries of the gap register that concern more than one operation or event. An entry that concerns only one of them is at its
 * route or event.
 */
export interface SharedGaps {
  operations: Readonly<Partial<Record<SharedBy, readonly GapId[]>>>;
  events: readonly GapId[];
}

interface Described {
  method: string | readonly string[];
  config: FastifyContextConfig;
  body: unknown;
}

const shares: Readonly<Record<SharedBy, (operation: Described) => boolean>> = {
  'every operation': () => true,
  'needs a token': ({ config }) => config.public !== true,
  'has a body': ({ body }) => body !== undefined,
  reads: ({ method }) => [method].flat().includes('GET'),
};

/** Returns the entries that concern an operation, its own first. */
export function gapsOfOperation(gaps: SharedGaps | undefined, operation: Described, own: readonly string[] = []): string[] {
  const shared = Object.entries(gaps?.operations ?? {}).filter(([by]) => shares[by as SharedBy](operation));
  return [...new Set([...own, ...shared.flatMap(([, ids]) => ids)])];
}

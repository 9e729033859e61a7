import { requirePartsOf } from '../parts.ts';

/** A finding of the comparator. Declared here because the package's types do not resolve for ES modules. */
export interface Result {
  code: string;
  type: 'error' | 'warning' | 'info';
  message: string;
  mockDetails?: { location: string; value: unknown };
  specDetails?: { location: string; value: unknown };
  /** Why a message matches none of the operation's messages. */
  causes?: Result[];
}

export interface Comparator {
  compare(pact: unknown): AsyncIterable<Result>;
}

interface Documents {
  oas: unknown;
  asyncapi: unknown;
}

/** The package's own types have no exports that TypeScript sees. */
type Library = { Comparator: new (documents: Documents) => Comparator };

/** Loads `@pactflow/openapi-pact-comparator`. Throws `CouldNotRun` if it is not installed. */
export async function openComparator(documents: Documents): Promise<Comparator> {
  requirePartsOf('passerelle compare');
  const { Comparator } = (await import('@pactflow/openapi-pact-comparator')) as unknown as Library;
  return new Comparator(documents);
}

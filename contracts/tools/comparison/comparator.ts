import { requirePart } from '../parts.ts';

/** What the comparator says of one place. Declared here: the package's own types do not resolve for ES modules. */
export interface Result {
  code: string;
  type: 'error' | 'warning' | 'info';
  message: string;
  mockDetails?: { location: string; value: unknown };
  specDetails?: { location: string; value: unknown };
  /** Of a message that matches none of an operation's: why not. */
  causes?: Result[];
}

export interface Comparator {
  compare(pact: unknown): AsyncIterable<Result>;
}

interface Documents {
  oas: unknown;
  asyncapi: unknown;
}

type Library = { Comparator: new (documents: Documents) => Comparator };

/** The comparator of `@pactflow/openapi-pact-comparator`. Throws `CouldNotRun` where that is not installed. */
export async function openComparator(documents: Documents): Promise<Comparator> {
  requirePart('@pactflow/openapi-pact-comparator');
  const { Comparator } = (await import('@pactflow/openapi-pact-comparator')) as unknown as Library;
  return new Comparator(documents);
}

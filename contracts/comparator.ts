import * as library from '@pactflow/openapi-pact-comparator';

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

type Constructor = new (documents: { oas: unknown; asyncapi: unknown }) => Comparator;

/** The comparator of `@pactflow/openapi-pact-comparator`. */
export const Comparator = (library as unknown as { Comparator: Constructor }).Comparator;

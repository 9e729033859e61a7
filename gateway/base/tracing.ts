import { AsyncLocalStorage } from 'node:async_hooks';

/** W3C Trace Context: version, trace id, parent id and flags, in lower-case hexadecimal. Later versions may add fields. */
const traceparentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Returns a header `traceparent` that is valid, in version 00; null for any other value, which W3C says to ignore. */
export function readTraceparent(header: string | string[] | undefined): string | null {
  if (typeof header !== 'string' || header.length > 200) return null;
  const [, trace, parent, flags, rest] = traceparentForm.exec(header) ?? [];
  return trace === undefined || (rest !== undefined && header.startsWith('00')) ? null : `00-${trace}-${parent}-${flags}`;
}

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** What a span describes: a call to an API, the fan-out of events, or one attempt of a delivery. */
export type SpanKind = 'call' | 'fanout' | 'attempt';
export type SpanAttributes = Record<string, string | number | boolean>;

export interface SpanStart {
  name: string;
  /** The traceparent of the span that this one belongs to; null begins a new trace. */
  parent: string | null;
  attributes?: SpanAttributes;
}

export interface SpanEnd {
  /** The route is known only at the end of a call. */
  name?: string;
  attributes?: SpanAttributes;
  /** Why it failed. */
  error?: string | undefined;
}

export interface Span {
  /** Names this span as the parent of what follows; null if there is no trace. */
  readonly traceparent: string | null;
  /** `result` is called only if the span is kept. */
  end(result: () => SpanEnd): void;
}

export interface Tracing {
  begin(kind: SpanKind, start: SpanStart): Span;
}

/** Makes no spans. A traceparent that a caller sent is passed on as it is. */
export const noTracing: Tracing = { begin: (_kind, { parent }) => ({ traceparent: parent, end() {} }) };

const current = new AsyncLocalStorage<string>();

/** Runs `work` so that the events of its changes belong to this trace. */
export function underTrace(traceparent: string | null, work: () => void): void {
  if (traceparent === null) work();
  else current.run(traceparent, work);
}

/** Returns the traceparent of the call that this code runs for, or null. */
export const currentTrace = (): string | null => current.getStore() ?? null;

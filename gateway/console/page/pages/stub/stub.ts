import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../lib/api.ts';
import { type Operation, useDocument } from '../../lib/documents.ts';
import type { ServiceName } from '../../lib/services.ts';
import { askStub, callStub } from '../../lib/stub.ts';
import type { Values } from '../../parts/resource/resource.ts';
import { text } from '../../texts/index.ts';

export interface Active {
  gap: string;
  alternative: string;
  text: string;
}

/** What `GET /_stub` says. */
export interface StubState {
  api: ServiceName;
  credentials: Record<string, unknown> & { tokens?: { token: string; abilities: string[] }[] };
  operatorToken: string;
  secret: string;
  assumptions: Active[];
  mobileMoney: string[];
  testNumbers: { name: string; phone: string; does: string }[];
  /** The number of calls in the journal. */
  calls: number;
  /** ISO 8601. */
  clock: string;
}

export interface Example {
  operation: string;
  name: string;
  cause: string;
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export const useStub = () =>
  useQuery({ queryKey: ['stub'], queryFn: () => askStub<StubState>(''), refetchInterval: 1000, retry: false });

const noExamples: readonly Example[] = [];

/** The replies that the stub can give by name. */
export const useExamples = (): readonly Example[] =>
  useQuery({ queryKey: ['stub examples'], queryFn: () => askStub<Example[]>('/examples'), staleTime: Number.POSITIVE_INFINITY })
    .data ?? noExamples;

/** The operations that have examples, each once. The document shows one with two methods or paths twice. */
export function useOperations(api: ServiceName): readonly Operation[] {
  const examples = useExamples();
  const known = new Set(examples.map(({ operation }) => operation));
  const operations = (useDocument(api).data ?? []).filter(({ id, webhook }) => !webhook && known.has(id));
  return operations.filter(({ id }, index) => operations.findIndex((one) => one.id === id) === index);
}

/** The events that the stub sends, by type. */
export const useEvents = (api: ServiceName): readonly Operation[] =>
  (useDocument(api).data ?? []).filter(({ webhook }) => webhook);

/** Builds the object whose values the names describe: `{ fault: { status: 503 } }` for `fault.status`. */
export function nested(values: Values): Record<string, unknown> {
  const built: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const steps = name.split('.');
    const last = steps.pop() as string;
    let place = built;
    for (const step of steps) {
      place[step] ??= {};
      place = place[step] as Record<string, unknown>;
    }
    place[last] = value;
  }
  return built;
}

/** Refuses the value of a field before it is sent. */
export const wrongField = (field: string, message: string) =>
  new ApiError({ status: 400, code: 'invalid', message, details: [{ field, rule: '', message }] });

export function readJson(field: string, json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch (error) {
    throw wrongField(field, text.stub.notJson((error as Error).message));
  }
}

/** Saves what a path of the control API answers as a file. */
export async function save(path: string, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await callStub(path)).blob());
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

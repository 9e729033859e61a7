import { useQueries, useQuery } from '@tanstack/react-query';
import { text } from '../texts/shared.ts';
import { ApiError } from './api.ts';
import type { ApiName } from './services.ts';

export interface Operation {
  id: string;
  method: string;
  path: string;
  summary: string;
  /** True for a webhook: the service sends it. */
  webhook: boolean;
}

interface OpenApi {
  paths?: Record<string, Record<string, OpenApiOperation>>;
  webhooks?: Record<string, Record<string, OpenApiOperation>>;
}

interface OpenApiOperation {
  operationId?: string;
  summary?: string;
}

const queryOf = (name: ApiName) => ({
  queryKey: ['documents', name],
  queryFn: async () => operationsIn(await fetchDocument(`/docs/${name}.json`)),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The operations and webhooks of one of the OpenAPI documents, in its order. */
export const useDocument = (name: ApiName) => useQuery(queryOf(name));

export const useDocuments = (names: readonly ApiName[]) => useQueries({ queries: names.map(queryOf) });

async function fetchDocument(path: string): Promise<OpenApi> {
  const response = await fetch(path);
  if (response.ok) return response.json();
  const message = text.parts.problem.answeredTo(response.status, path);
  throw new ApiError({ status: response.status, code: 'no_document', message });
}

const operationsIn = ({ paths = {}, webhooks = {} }: OpenApi): Operation[] => [
  ...operationsOf(paths, false),
  ...operationsOf(webhooks, true),
];

const methods = ['get', 'post', 'put', 'patch', 'delete'];

const operationsOf = (paths: NonNullable<OpenApi['paths']>, webhook: boolean): Operation[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.includes(method))
      .map(([method, { operationId = '', summary = '' }]) => ({
        id: operationId,
        method: method.toUpperCase(),
        path,
        summary,
        webhook,
      })),
  );

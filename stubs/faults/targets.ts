import { didYouMean, nearestOf } from '../../gateway/base/nearest.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { findOperation, openApi } from '../../spec/openapi/operations.ts';
import { FaultError } from './errors.ts';
import { kindOf } from './kinds.ts';
import type { FaultRule } from './types.ts';

/** An operation, or a webhook, that rules may apply to. */
export interface Target {
  /** The operationId, or the event type. */
  id: string;
  isWebhook?: boolean;
  method: string;
  /** The template: `/api/v1/financements/{id}`. */
  path: string;
}

/** The operations by all of their paths, because one may have two, and the webhooks. */
export const targetsOf = (api: ServiceName): Target[] => [
  ...Object.entries(openApi[api].paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => ({
      id: findOperation(api, method, path)?.operation.operationId ?? '',
      method: method.toUpperCase(),
      path,
    })),
  ),
  ...Object.keys(openApi[api].webhooks ?? {}).map((id) => ({ id, method: '', path: '', isWebhook: true })),
];

/** Returns what a rule can apply to. Throws a `FaultError`, with the nearest operation, if that is nothing. */
export function checkTargets({ operation, method, path, fault }: FaultRule, all: readonly Target[]): Target[] {
  const { isOfWebhooks = false } = kindOf(fault);
  const targets = all.filter(({ isWebhook = false }) => isWebhook === isOfWebhooks);
  const ids = [...new Set(targets.map(({ id }) => id))];
  if (operation !== undefined && !ids.includes(operation)) {
    const [one, many] = isOfWebhooks ? ['an event', 'events'] : ['an operation', 'operations'];
    const message = `"${operation}" is not ${one}. ${didYouMean(operation, ids)}The ${many} are ${ids.join(', ')}.`;
    throw new FaultError(message, [{ field: 'operation', message }]);
  }
  const named = targets.filter(({ id }) => operation === undefined || id === operation);
  const found = named.filter((one) => takes(one, method) && (path === undefined || overlap(path, one.path)));
  if (found.length > 0) return found;
  const given = [operation, method, path].filter((part) => part !== undefined).join(' ');
  const shown = named.map((one) => textOf(one, { operation, method, path }));
  throw new FaultError(`No operation is "${given}". Did you mean ${nearestOf(given, shown)}?`);
}

/** Every operation that reads also answers HEAD, and every path OPTIONS. */
const takes = (target: Target, method: FaultRule['method']): boolean =>
  method === undefined || method === target.method || method === 'OPTIONS' || (method === 'HEAD' && target.method === 'GET');

/** Returns the operation as text, with the properties that the rule names. */
const textOf = ({ id, method, path }: Target, rule: Omit<FaultRule, 'fault'>): string =>
  [rule.operation && id, rule.method && method, rule.path && path].filter(Boolean).join(' ');

/** Returns true if some path matches both the rule's pattern and the template. */
function overlap(pattern: string, template: string): boolean {
  const [given, wanted] = [pattern.split('/'), template.split('/')];
  // Behind `*` anything may follow.
  const open = given.findIndex((segment) => segment.includes('*'));
  const compared = open < 0 ? given : given.slice(0, open);
  if (open < 0 ? given.length !== wanted.length : compared.length > wanted.length) return false;
  return compared.every((segment, at) => isOpen(segment) || isOpen(wanted[at] ?? '') || segment === wanted[at]);
}

const isOpen = (segment: string) => segment.includes('{');

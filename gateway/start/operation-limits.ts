import { SettingsError } from '../base/errors.ts';
import { nearestOf } from '../base/nearest.ts';
import type { LimitRule } from '../http/api.ts';
import type { Settings } from './config.ts';

/** The limits of OPERATION_LIMITS by operation, counted for each caller, or for each address if there is no caller. */
export const operationLimits = (settings: Settings): Map<string, LimitRule> =>
  new Map(
    settings.OPERATION_LIMITS.map(({ operation, max, windowMs }) => [
      operation,
      { name: `operation-${operation}`, windowMs, max, per: 'caller', key: (request) => request.caller?.id ?? request.ip },
    ]),
  );

/** Throws a SettingsError for a limit on an operation that does not exist: it would have no effect. */
export function checkOperationLimits(limits: ReadonlyMap<string, LimitRule>, operations: ReadonlySet<string>): void {
  const unknown = [...limits.keys()].find((operation) => !operations.has(operation));
  if (unknown === undefined) return;
  const known = [...operations].sort();
  throw new SettingsError(
    `OPERATION_LIMITS: there is no operation "${unknown}". Did you mean ${nearestOf(unknown, known)}? The operations are: ${known.join(', ')}.`,
  );
}

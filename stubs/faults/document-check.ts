import { schemasAlong } from '../../contracts/tools/verification/json-path.ts';
import { nearestOf } from '../../gateway/base/nearest.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import { checkerOf, jsonSchema, type Schema } from '../../spec/openapi/document.ts';
import { eventsOf, operationsOf, type ProviderOperation } from '../../spec/openapi/operations.ts';
import { FaultError } from './errors.ts';
import type { Target } from './targets.ts';
import type { FaultRule, StatusFault } from './types.ts';

/**
 * Returns the check of rules against the OpenAPI document: conditions name fields and parameters that exist, and a body
 * given for a reply is valid for each operation that the rule can apply to.
 */
export const documentCheck =
  (api: ServiceName) =>
  (rule: FaultRule, targets: readonly Target[]): void => {
    const operations = operationsOf(api).filter(({ operation }) => targets.some(({ id }) => id === operation.operationId));
    const webhooks = Object.entries(eventsOf(api)).filter(([type]) => targets.some(({ id }) => id === type));
    checkNames(rule, [...operations.map(({ operation }) => operation), ...webhooks.map(([, webhook]) => webhook)]);
    const { fault } = rule;
    if (fault.kind === 'status' && fault.body !== undefined && fault.validate !== false)
      for (const operation of operations) checkBody(fault, operation);
  };

function checkNames({ when }: FaultRule, operations: readonly ProviderOperation['operation'][]): void {
  const bodies = operations.map((operation): Schema => jsonSchema(operation.requestBody) ?? {});
  for (const path of Object.keys(when?.body ?? {})) {
    const steps = path.split('.');
    const known = bodies.map((schema) => schemasAlong(schema, steps));
    if (known.some((along) => along.length > steps.length)) continue;
    const siblings = known.flatMap((along) =>
      Object.keys(along[0]?.properties ?? {}).map((name) => [...steps.slice(0, along.length - 1), name].join('.')),
    );
    refuseName(path, { field: 'when.body', what: 'a field of the body' }, siblings);
  }
  const parameters = operations.flatMap((operation) => operation.parameters ?? []);
  const queries = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  for (const name of Object.keys(when?.query ?? {}))
    if (!queries.includes(name)) refuseName(name, { field: 'when.query', what: 'a query parameter' }, queries);
}

function refuseName(name: string, { field, what }: { field: string; what: string }, known: readonly string[]): never {
  const hint = known.length === 0 ? 'There is none.' : `Did you mean ${nearestOf(name, known)}?`;
  const message = `"${name}" is not ${what} of these calls. ${hint}`;
  throw new FaultError(`when: ${message}`, [{ field, message }]);
}

const sendAnyway = 'To send it anyway, set validate: false.';

function checkBody({ status, body }: StatusFault, { operation }: ProviderOperation): void {
  const schema = jsonSchema(operation.responses[status]);
  if (schema === undefined) {
    const documented = Object.keys(operation.responses).join(', ');
    throw wrongBody(`body: ${operation.operationId} does not document status ${status}, only ${documented}. ${sendAnyway}`);
  }
  const { error } = checkerOf(schema).safeParse(body);
  if (!error) return;
  const issues = error.issues.map(({ path, message }) => `${['body', ...path].join('.')}: ${message}`).join('; ');
  throw wrongBody(`${issues} (${status} of ${operation.operationId}). ${sendAnyway}`);
}

const wrongBody = (message: string) => new FaultError(`fault.${message}`, [{ field: 'fault.body', message }]);

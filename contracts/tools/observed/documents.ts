import { behaviours } from '../../documents/behaviours.ts';
import { isOfKind, valuesAt } from '../../documents/fields.ts';
import type { ServiceName } from '../../documents/services.ts';
import { findOperation } from '../../openapi/operations.ts';
import { fieldsOf } from '../json.ts';
import type { SeenCall } from './call.ts';

/** A reply that contradicts a document. */
export interface Contradiction {
  /** The document's section, by its number and heading. */
  section: string;
  /** The document's own words. */
  says: string;
  /** What was seen instead, in words that hold no value of the call. */
  saw: string;
}

/** Values that the documents show for a field. */
const shownValues: Readonly<Record<string, (value: unknown) => boolean>> = {
  'cohesion/validated-delivered-at': (value) => /T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(String(value)),
  'pos/token-success': (value) => value === true,
  'pos/token-type': (value) => value === 'Bearer',
};

/** Returns what the documents say that the reply does not keep. */
export function contradictionsIn(api: ServiceName, call: SeenCall): Contradiction[] {
  const { asked, reply } = call;
  const [method = ''] = asked.operation.split(' ');
  const operation = findOperation(api, method, asked.path);
  if (operation === undefined) return [];
  return call.isSuccess ? [...notJson(api, call), ...wrongFields(api, `${method} ${operation.path}`, reply.body)] : [];
}

/**
 * Returns false for a success that lacks what the documents show of it. A proxy or a page for signing in may have answered in the
 * place of the service, so nothing else follows from it.
 */
export function isOfDocument(api: ServiceName, call: SeenCall): boolean {
  const { asked, reply } = call;
  if (!call.isSuccess) return true;
  if (reply.body === undefined) return mayBeEmpty(call);
  if (typeof reply.body !== 'object' || reply.body === null) return false;
  const [method = ''] = asked.operation.split(' ');
  const on = `${method} ${findOperation(api, method, asked.path)?.path}`;
  const shown = behaviours[api].flatMap(({ field, on: places }) =>
    field && places.includes(on) ? field.split('.').slice(0, 1) : [],
  );
  return shown.every((name) => fieldsOf(reply.body)[name] !== undefined);
}

/** The document says nothing of the body of this reply. */
const mayBeEmpty = (call: SeenCall) => call.isOn('PUT /financements/{id}');

/** `on`: an operation such as `GET /api/v1/me`, or an event. */
export function wrongFields(api: ServiceName, on: string, body: unknown): Contradiction[] {
  return behaviours[api].flatMap(({ id, says, field, section, on: places }) => {
    if (field === undefined || !places.includes(on)) return [];
    const isRight = shownValues[id] ?? isOfKind(says);
    const wrong = valuesAt(body, field.split('.')).filter((value) => !isRight(value));
    if (wrong.length === 0) return [];
    return [{ section, says, saw: wrong.includes(undefined) ? `${field} is missing` : `${field} is ${kindOf(wrong[0])}` }];
  });
}

function notJson(api: ServiceName, call: SeenCall): Contradiction[] {
  const saw = unlikeJson(call);
  const [section, says] =
    api === 'pos'
      ? ['4. Endpoints', 'All calls use JSON.']
      : ['1. What the service does', 'requests and responses are JSON only'];
  return saw === undefined ? [] : [{ section, says, saw }];
}

function unlikeJson(call: SeenCall): string | undefined {
  const { body } = call.reply;
  if (body === undefined) return mayBeEmpty(call) ? undefined : 'a success without a body';
  if (call.mediaType === '') return 'a body without a content type';
  if (!/[/+]json$/.test(call.mediaType)) return 'a body of another content type';
  return typeof body === 'object' && body !== null ? undefined : 'a body that is neither an object nor a list';
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `another ${typeof value}`);

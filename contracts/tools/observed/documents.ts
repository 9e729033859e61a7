import { behaviours } from '../../documents/behaviours.ts';
import { isOfKind, valuesAt } from '../../documents/fields.ts';
import type { ServiceName } from '../../documents/services.ts';
import { findOperation } from '../../openapi/operations.ts';
import type { SeenCall } from './finding.ts';
import { isSuccess, mediaType } from './look.ts';

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
  'pos/token-success': (value) => value === true,
  'pos/token-type': (value) => value === 'Bearer',
};

/** Returns what the documents say that the reply does not keep. */
export function contradictionsIn(api: ServiceName, call: SeenCall): Contradiction[] {
  const { asked, reply } = call;
  const [method = ''] = asked.operation.split(' ');
  const operation = findOperation(api, method, asked.path);
  if (operation === undefined) return [];
  return isSuccess(call) ? [...notJson(api, call), ...wrongFields(api, `${method} ${operation.path}`, reply.body)] : [];
}

function wrongFields(api: ServiceName, on: string, body: unknown): Contradiction[] {
  return behaviours[api].flatMap(({ id, says, field, section, on: places }) => {
    if (field === undefined || !places.includes(on)) return [];
    const isRight = shownValues[id] ?? isOfKind(says);
    const wrong = valuesAt(body, field.split('.')).filter((value) => !isRight(value));
    if (wrong.length === 0) return [];
    return [{ section, says, saw: wrong.includes(undefined) ? `${field} is missing` : `${field} is ${kindOf(wrong[0])}` }];
  });
}

function notJson(api: ServiceName, call: SeenCall): Contradiction[] {
  const { body } = call.reply;
  if (body === undefined || /[/+]json$/.test(mediaType(call))) return [];
  const [section, says] =
    api === 'pos'
      ? ['4. Endpoints', 'All calls use JSON.']
      : ['1. What the service does', 'requests and responses are JSON only'];
  return [{ section, says, saw: mediaType(call) === '' ? 'a body without a content type' : 'a body of another content type' }];
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `another ${typeof value}`);

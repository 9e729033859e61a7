import { behaviourNamed, behaviours } from '../../../spec/documents/behaviours.ts';
import { isOfKind, valuesAt } from '../../../spec/documents/fields.ts';
import type { ServiceName } from '../../../spec/documents/services.ts';
import { update } from '../../../spec/gaps/is/cohesion.ts';
import { fieldsOf } from '../../../spec/json.ts';
import type { SeenCall } from './call.ts';

export interface Contradiction {
  section: string;
  /** The document's own words. */
  says: string;
  /** What was seen instead, in words without values from the call. */
  saw: string;
}

/** Values that the documents show for a field. */
const shownValues: Readonly<Record<string, (value: unknown) => boolean>> = {
  'cohesion/validated-delivered-at': (value) => /T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(String(value)),
  'pos/token-success': (value) => value === true,
  'pos/token-type': (value) => value === 'Bearer',
};

export function against(id: string, saw: string): Contradiction[] {
  const behaviour = behaviourNamed(id);
  return behaviour ? [{ section: behaviour.section, says: behaviour.says, saw }] : [];
}

/** The name of a call's operation in the documents: `GET /api/v1/me`. */
const nameOf = (api: ServiceName, call: SeenCall) => `${call.method} ${call.servedBy(api)?.path}`;

/** Returns the statements of the documents that the reply contradicts. */
export function contradictionsIn(api: ServiceName, call: SeenCall): Contradiction[] {
  if (!call.isSuccess || !call.servedBy(api)) return [];
  const saw = unlikeJson(call);
  return [...(saw === undefined ? [] : against(`${api}/json`, saw)), ...wrongFields(api, nameOf(api, call), call.reply.body)];
}

/** Returns false for a success without the fields that the documents show: a proxy or a page for signing in may have answered. */
export function isOfDocument(api: ServiceName, call: SeenCall): boolean {
  const { body } = call.reply;
  if (!call.isSuccess) return true;
  if (body === undefined) return mayBeEmpty(call);
  if (typeof body !== 'object' || body === null) return false;
  const name = nameOf(api, call);
  const shown = behaviours[api]
    .filter(({ field, on }) => field && on.includes(name))
    .map(({ field = '' }) => field.split('.')[0] ?? '');
  return shown.every((field) => fieldsOf(body)[field] !== undefined);
}

/** The document says nothing of the body of this reply. */
const mayBeEmpty = (call: SeenCall) => call.isOn(update);

/** `on`: an operation such as `GET /api/v1/me`, or an event. */
export const wrongFields = (api: ServiceName, on: string, body: unknown): Contradiction[] =>
  behaviours[api].flatMap(({ id, says, field, on: places }) => {
    if (field === undefined || !places.includes(on)) return [];
    const isRight = shownValues[id] ?? isOfKind(says);
    const wrong = valuesAt(body, field.split('.')).filter((value) => !isRight(value));
    if (wrong.length === 0) return [];
    return against(id, wrong.includes(undefined) ? `${field} is missing` : `${field} is ${kindOf(wrong[0])}`);
  });

function unlikeJson(call: SeenCall): string | undefined {
  const { body } = call.reply;
  if (body === undefined) return mayBeEmpty(call) ? undefined : 'a success without a body';
  if (call.mediaType === '') return 'a body without a content type';
  if (!/[/+]json$/.test(call.mediaType)) return 'a body of another content type';
  return typeof body === 'object' && body !== null ? undefined : 'a body that is neither an object nor a list';
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `another ${typeof value}`);

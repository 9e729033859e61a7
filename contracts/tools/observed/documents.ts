import { behaviourNamed, behaviours } from '../../documents/behaviours.ts';
import { isOfKind, valuesAt } from '../../documents/fields.ts';
import type { ServiceName } from '../../documents/services.ts';
import { update } from '../../gaps/is/cohesion.ts';
import { fieldsOf } from '../../json.ts';
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

/** What a behaviour of a document says, and what was seen instead. */
export function against(id: string, saw: string): Contradiction[] {
  const behaviour = behaviourNamed(id);
  return behaviour ? [{ section: behaviour.section, says: behaviour.says, saw }] : [];
}

/** The name of a call's operation in the documents: `GET /api/v1/me`. */
const nameOf = (api: ServiceName, call: SeenCall) => `${call.method} ${call.servedBy(api)?.path}`;

/** Returns what the documents say that the reply does not keep. */
export function contradictionsIn(api: ServiceName, call: SeenCall): Contradiction[] {
  if (!call.isSuccess || !call.servedBy(api)) return [];
  const saw = unlikeJson(call);
  return [...(saw === undefined ? [] : against(`${api}/json`, saw)), ...wrongFields(api, nameOf(api, call), call.reply.body)];
}

/**
 * Returns false for a success that lacks what the documents show of it. A proxy or a page for signing in may have answered in the
 * place of the service, so nothing else follows from it.
 */
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
export function wrongFields(api: ServiceName, on: string, body: unknown): Contradiction[] {
  return behaviours[api].flatMap(({ id, says, field, on: places }) => {
    if (field === undefined || !places.includes(on)) return [];
    const isRight = shownValues[id] ?? isOfKind(says);
    const wrong = valuesAt(body, field.split('.')).filter((value) => !isRight(value));
    if (wrong.length === 0) return [];
    return against(id, wrong.includes(undefined) ? `${field} is missing` : `${field} is ${kindOf(wrong[0])}`);
  });
}

function unlikeJson(call: SeenCall): string | undefined {
  const { body } = call.reply;
  if (body === undefined) return mayBeEmpty(call) ? undefined : 'a success without a body';
  if (call.mediaType === '') return 'a body without a content type';
  if (!/[/+]json$/.test(call.mediaType)) return 'a body of another content type';
  return typeof body === 'object' && body !== null ? undefined : 'a body that is neither an object nor a list';
}

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : `another ${typeof value}`);

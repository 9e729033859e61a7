import type { ServiceName } from '../../documents/services.ts';
import { listOf } from '../assumptions/values.ts';
import { fieldsOf, isRecord } from '../json.ts';
import { excludes, nothing, type Recogniser, type SeenCall, shows } from './finding.ts';
import { aboutUnknown, isInvalid, isNamed, isOfToken, isOn, isSuccess, isText, says, sentFields } from './look.ts';

/** Who may reach what, and in which order a call is checked. */

const storeOf = (call: SeenCall) => sentFields(call).store_id ?? call.asked.query.store_id;

/** A token that worked before and after is refused for one store only. */
const foreignStore: Recogniser = (call, earlier) => {
  const own = earlier.filter(isOfToken(call));
  const refused = own.findLast(
    (one, at) =>
      one.reply.status === 401 && isText(storeOf(one)) && storeOf(one) !== storeOf(call) && own.slice(0, at).some(isSuccess),
  );
  return isSuccess(call) && call.asked.headers.authorization !== undefined && refused
    ? shows('pos.store-access', '401', 'a token that works is refused for one store')
    : nothing;
};

const aboutStore = /store|magasin|boutique/i;

/** A sale that must be refused for its lines, in a store that does not exist. */
const storeFirst: Recogniser = (call, earlier) => {
  const gap = 'pos.check-order';
  const { items, store_id: store } = sentFields(call);
  const hasLines = Array.isArray(items) && items.length > 0 && items.every(isRecord);
  if (!isOn(call, 'POST /sales') || hasLines || !isText(store)) return nothing;
  if (call.reply.status === 404 && says(call, aboutStore))
    return shows(gap, 'store-first', 'a sale without lines in an unknown store is answered with 404');
  const isUnknown = earlier.some((one) => one.reply.status === 404 && storeOf(one) === store && says(one, aboutStore));
  return isUnknown && isInvalid(call) && isNamed(call, 'items')
    ? excludes(gap, ['store-first'], 'a sale without lines in an unknown store is refused for its lines')
    : nothing;
};

const create = 'POST /financements';

/** A financing that must be refused for its amount, for a structure outside of the perimeter. */
const perimeterFirst: Recogniser = (call, earlier) => {
  const gap = 'cohesion.check-order';
  const { montant, structure_id: structure } = sentFields(call);
  if (!isOn(call, create) || typeof montant === 'number' || !Number.isInteger(structure)) return nothing;
  const own = earlier.filter((one) => isOn(one, create) && isOfToken(call)(one));
  // A 403 may also be about the ability, which a token that has written has.
  if (call.reply.status === 403 && own.some(isSuccess))
    return shows(gap, 'perimeter-first', 'a financing without an amount is answered with 403');
  const isOutside =
    own.some((one) => one.reply.status === 403 && sentFields(one).structure_id === structure) && own.some(isSuccess);
  return isOutside && isInvalid(call) && isNamed(call, 'montant')
    ? excludes(gap, ['perimeter-first'], 'a financing outside of the perimeter is refused for its amount')
    : nothing;
};

const unknownStructure: Recogniser = (call) => {
  const gap = 'cohesion.unknown-structure';
  if (!isOn(call, create) || !(Number(sentFields(call).structure_id) > 0)) return nothing;
  if (call.reply.status === 404) return shows(gap, '404', 'a financing for an unknown structure is answered with 404');
  return call.reply.status === 422 && isNamed(call, 'structure_id') && says(call, aboutUnknown)
    ? excludes(gap, ['403', '404'], 'a financing for an unknown structure is answered with 422')
    : nothing;
};

const closedYear: Recogniser = (call) =>
  isOn(call, create, 'PUT /financements/{id}') &&
  [403, 409, 422].includes(call.reply.status) &&
  isNamed(call, 'exercice') &&
  says(call, /\b(closed|clos|close|cl[oô]tur[eé]e?)\b/i)
    ? shows('cohesion.plan-closed-condition', 'writes-refused', 'a financing of a closed year is refused')
    : nothing;

const abilities: Recogniser = (call) => {
  const held = fieldsOf(fieldsOf(fieldsOf(call.reply.body).data).token).abilities;
  return isOn(call, 'GET /me') && isSuccess(call) && Array.isArray(held) && held.length === 0
    ? excludes('cohesion.me-ability', ['any-ability'], 'a token without abilities reads /me')
    : nothing;
};

const statuses = ['en_cours', 'termine', 'approuve', 'brouillon', 'suspendu'];
/** Nothing is validated from these. */
const neverValidated = ['planifie', 'rejete', 'annule'];

/** A single further status may be the one that a validation starts from, which another entry is about. */
const interventionStatuses: Recogniser = (call) => {
  const rows = listOf(fieldsOf(call.reply.body).data).map(fieldsOf);
  const further = new Set(rows.flatMap(({ statut }) => (isText(statut) && !statuses.includes(statut) ? [statut] : [])));
  return isOn(call, 'GET /interventions') &&
    isSuccess(call) &&
    (further.size > 1 || neverValidated.some((statut) => further.has(statut)))
    ? shows('cohesion.intervention-statuses', 'further', 'an intervention has a further status')
    : nothing;
};

export const access: Readonly<Record<ServiceName, readonly Recogniser[]>> = {
  pos: [foreignStore, storeFirst],
  cohesion: [perimeterFirst, unknownStructure, closedYear, abilities, interventionStatuses],
};

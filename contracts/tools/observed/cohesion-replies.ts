import { listOf } from '../assumptions/values.ts';
import { fieldsOf, isRecord, type Json } from '../json.ts';
import { compareFields, fieldsOfReply, named } from './fields.ts';
import { choice, excludes, type Finding, nothing, other, type Recogniser, type SeenCall, shows } from './finding.ts';
import { hasField, isOn, isSuccess, isText, mediaType, sentFields } from './look.ts';

/** The replies of social cohesion: statuses, names of fields, values. */

const detail = 'GET /indicateurs/{id}';
const lists = ['GET /indicateurs', 'GET /interventions', 'GET /structures'];
const create = 'POST /financements';
const update = 'PUT /financements/{id}';

const rowsOf = ({ reply }: SeenCall): Json[] => listOf(fieldsOf(reply.body).data).map(fieldsOf);
const recordIn = ({ reply }: SeenCall): Json => fieldsOf(fieldsOf(reply.body).data);
const indicatorsIn = (call: SeenCall): Json[] =>
  isOn(call, detail) ? [{ ...fieldsOf(call.reply.body), ...recordIn(call) }] : isOn(call, 'GET /indicateurs') ? rowsOf(call) : [];

const indicator: Recogniser = (call) => {
  if (!isOn(call, detail) || !isSuccess(call) || !isRecord(call.reply.body)) return nothing;
  const gap = 'cohesion.indicator-detail';
  if (!('data' in call.reply.body))
    return 'code' in call.reply.body ? shows(gap, 'bare', 'an indicator is not under data') : nothing;
  const further = Object.keys(recordIn(call)).some((name) => /^(description|histor|valeurs)/.test(name));
  return further
    ? shows(gap, 'further', 'an indicator has a history or a description')
    : excludes(gap, ['bare'], 'an indicator is under data');
};

const createStatus: Recogniser = (call) => {
  if (!isOn(call, create) || !isSuccess(call)) return nothing;
  const { status } = call.reply;
  return shows(
    'cohesion.financing-create-status',
    status === 201 ? choice : status === 200 ? '200' : other,
    `the status is ${status}`,
  );
};

const financingFields = fieldsOfReply('cohesion', create);

const updated: Recogniser = (call) => {
  if (!isOn(call, update) || !isSuccess(call)) return nothing;
  const { status, body } = call.reply;
  const found = shows(
    'cohesion.financing-update-status',
    status === 200 ? choice : status === 204 ? '204' : other,
    `the status is ${status}`,
  );
  const gap = 'cohesion.financing-update-response';
  // A 204 has no body, whatever the service would show.
  if (status === 204) return found;
  if (body === undefined) return [...found, ...shows(gap, 'no-body', 'an update is answered without a body')];
  const names = Object.keys(recordIn(call));
  if (names.length === 0) return found;
  if (compareFields(recordIn(call), financingFields) === 'ours')
    return [...found, ...shows(gap, choice, 'an update is answered with the whole financing')];
  const sent = Object.keys(sentFields(call));
  const known = names.filter((name) => financingFields.includes(name));
  const isChanged = known.length > 0 && known.every((name) => sent.includes(name));
  const isWhole = financingFields.every((name) => name === 'id' || name === 'devise' || sent.includes(name));
  // Further fields are always allowed. After an update of all fields they may be ours under other names.
  if (isChanged && isWhole && names.length > known.length) return found;
  return [
    ...found,
    ...shows(
      gap,
      isChanged ? 'changed-only' : other,
      isChanged ? 'an update is answered with the sent fields only' : 'an update is answered with other fields',
    ),
  ];
};

const interventions: Recogniser = (call) => {
  const [first] = rowsOf(call);
  if (!isOn(call, 'GET /interventions') || !isSuccess(call) || first === undefined) return nothing;
  const gap = 'cohesion.intervention-fields';
  const names = Object.keys(first);
  if (!names.includes('structure_id') && isRecord(first.structure))
    return shows(gap, 'structure-object', 'the structure of an intervention is an object');
  if (names.some((name) => /^(description|lieu|beneficiaires)$/.test(name)))
    return shows(gap, 'further', 'an intervention has further fields');
  return named(gap, 'an intervention', first, fieldsOfReply('cohesion', 'GET /interventions'));
};

const structures: Recogniser = (call) => {
  const [first] = rowsOf(call);
  if (!isOn(call, 'GET /structures') || !isSuccess(call) || first === undefined) return nothing;
  const gap = 'cohesion.structure-fields';
  const names = Object.keys(first);
  if (names.some((name) => /^(adresse|contacts?)$/.test(name)))
    return shows(gap, 'contacts', 'a structure has addresses or contacts');
  if (!names.includes('nom') && names.includes('intitule')) return shows(gap, 'intitule', 'a structure has intitule, and no nom');
  return named(gap, 'a structure', first, fieldsOfReply('cohesion', 'GET /structures'));
};

const stats: Recogniser = (call) => {
  const { body } = call.reply;
  if (!isOn(call, 'GET /stats') || !isSuccess(call) || !isRecord(body)) return nothing;
  const gap = 'cohesion.stats-fields';
  if (!('data' in body)) return Object.keys(body).length > 1 ? shows(gap, 'bare', 'the statistics are not under data') : nothing;
  if (hasField(recordIn(call), 'par_region')) return shows(gap, 'by-region', 'the statistics have regions');
  const sums = listOf(fieldsOf(fieldsOf(fieldsOf(body).data).financements).par_statut).map(fieldsOf);
  if (sums.length > 0 && sums.every((sum) => 'montant' in sum && !('devise' in sum)))
    return shows(gap, 'one-currency', 'the sums have no currency');
  // Without sums nothing shows whether they have a currency.
  if (hasField(recordIn(call), 'financements') && sums.length === 0) return nothing;
  return named(gap, 'a record of statistics', body.data, fieldsOfReply('cohesion', 'GET /stats'));
};

const alertWords: Readonly<Record<string, string>> = {
  ...{ under: choice, over: choice, warning: 'degrees', critical: 'degrees' },
  ...{ under_performance: 'performance', over_performance: 'performance' },
};

/** What the words of `alert_state` say, in replies and in webhooks. */
export const alertFindings = (states: readonly unknown[]): Finding[] =>
  [...new Set(states)].flatMap((word) => {
    const way = isText(word) ? (alertWords[word] ?? (word === 'none' ? undefined : other)) : undefined;
    return way === undefined ? [] : shows('cohesion.alert-states', way, 'alert_state has words of this choice');
  });

/** Our thresholds are half of the target and a fifth above it. Rates are rounded, so one that is close to them says nothing. */
export function alertConditionFindings(indicator: Json, isInAlert: boolean): Finding[] {
  const { valeur_courante: value, cible_annuelle: target } = indicator;
  if (typeof value !== 'number' || typeof target !== 'number' || target <= 0) return nothing;
  const gap = 'cohesion.indicator-alert-condition';
  const rate = value / target;
  if (isInAlert)
    return rate > 0.501 && rate < 1.199
      ? excludes(gap, [choice], 'an indicator is in alert between the thresholds of our choice')
      : nothing;
  // An indicator with the value 0 may have no value yet.
  return (rate > 0 && rate < 0.499) || rate > 1.201
    ? excludes(gap, [choice], 'an indicator outside of the thresholds of our choice is not in alert')
    : nothing;
}

const alerts: Recogniser = (call) => {
  if (!isSuccess(call)) return nothing;
  const indicators = indicatorsIn(call).filter(({ alert_state: state }) => isText(state));
  const states = alertFindings(indicators.map(({ alert_state: state }) => state));
  // Degrees of alert have thresholds of their own, which the entry about thresholds is not about.
  const isPlain = states.length > 0 && states.every(({ shows: way }) => way === choice || way === 'performance');
  return [
    ...states,
    ...(isPlain ? indicators.flatMap((one) => alertConditionFindings(one, one.alert_state !== 'none')) : nothing),
  ];
};

const rates: Recogniser = (call) => {
  if (!isSuccess(call)) return nothing;
  const gap = 'cohesion.attainment-rate';
  return indicatorsIn(call).flatMap(({ valeur_courante: value, cible_annuelle: target, taux_atteinte: rate }) => {
    if (target === 0 && rate === null) return shows(gap, 'null-without-target', 'the rate without a target is null');
    if (target === 0 && rate === 0) return excludes(gap, ['null-without-target'], 'the rate without a target is 0');
    if (typeof value !== 'number' || typeof target !== 'number' || typeof rate !== 'number' || target <= 0 || value <= 0)
      return [];
    const fraction = value / target;
    if (Math.abs(rate - fraction * 100) <= 0.0051) return excludes(gap, ['fraction'], 'the rate is a percentage');
    return Math.abs(rate - fraction) <= 0.0051 ? shows(gap, 'fraction', 'the rate is a fraction') : [];
  });
};

const roles: Recogniser = (call) => {
  const { role } = fieldsOf(recordIn(call).user);
  if (!isOn(call, 'GET /me') || !isSuccess(call) || !isText(role)) return nothing;
  const gap = 'cohesion.user-roles';
  return ['admin', 'gestionnaire', 'lecteur'].includes(role)
    ? excludes(gap, ['other-roles'], 'a user has a role of our choice')
    : shows(gap, 'other-roles', 'a user has another role');
};

const order: Recogniser = (call) => {
  const ids = rowsOf(call).map(({ id }) => id);
  if (!isOn(call, ...lists) || !isSuccess(call) || ids.length < 5 || !ids.every((id) => typeof id === 'number')) return nothing;
  const gap = 'cohesion.list-order';
  const isSorted = (sign: number) => ids.every((id, at) => at === 0 || Math.sign(Number(id) - Number(ids[at - 1])) === sign);
  if (isSorted(-1)) return shows(gap, 'newest-first', 'the ids of a list fall');
  return isSorted(1)
    ? excludes(gap, ['newest-first'], 'the ids of a list rise')
    : excludes(gap, [choice], 'the ids of a list do not rise');
};

const currency: Recogniser = (call) => {
  const gap = 'cohesion.devise-sent';
  const { devise: sent } = sentFields(call);
  const { devise } = recordIn(call);
  if (!isOn(call, create) || !isSuccess(call) || !isText(devise)) return nothing;
  if (sent === undefined)
    return devise === 'XOF'
      ? excludes(gap, ['other-default'], 'a financing without devise is in XOF')
      : shows(gap, 'other-default', 'a financing without devise is in another currency');
  if (sent === devise)
    return excludes(gap, sent === 'XOF' ? ['refused'] : ['refused', 'ignored'], 'a devise that is sent is kept');
  return shows(gap, 'ignored', 'a devise that is sent is ignored');
};

const own = [400, 401, 403, 404, 405, 409, 422];

const errorBody: Recogniser = (call) => {
  const { body, status } = call.reply;
  if (!own.includes(status) || !isRecord(body)) return nothing;
  const gap = 'cohesion.error-body';
  if (mediaType(call) === 'application/problem+json' || (isText(body.title) && body.status === status))
    return shows(gap, 'problem-details', 'an error is problem details');
  const { code, message } = fieldsOf(body.error);
  if (code !== undefined && isText(message)) return shows(gap, 'error-object', 'an error has error with code and message');
  // Further fields are always allowed.
  const isOurs = isText(body.message) && body.error === undefined;
  const isListed = body.errors === undefined || (isRecord(body.errors) && Object.values(body.errors).every(Array.isArray));
  return isOurs && isListed
    ? shows(gap, choice, 'an error has message and errors')
    : shows(gap, other, 'an error has another shape');
};

const limits: Recogniser = ({ reply: { headers } }) => {
  const gap = 'cohesion.throttle-exceeded';
  if ('ratelimit-limit' in headers) return excludes(gap, ['laravel-headers'], 'a reply has RateLimit headers');
  return 'x-ratelimit-limit' in headers ? shows(gap, 'laravel-headers', 'a reply has X-RateLimit headers') : nothing;
};

export const cohesionReplies: readonly Recogniser[] = [
  ...[indicator, createStatus, updated, interventions, structures, stats, alerts, rates],
  ...[roles, order, currency, errorBody, limits],
];

/** What recognisers look at in a call. */
import type { ServiceName } from '../../documents/services.ts';
import { findOperation, type ProviderOperation } from '../../openapi/operations.ts';
import { fieldsOf, isRecord, type Json } from '../json.ts';
import { type Judgement, type Recogniser, rule, type SeenCall } from './finding.ts';

export const [sales, payments, inventory, reports] = [
  'POST /sales',
  'POST /payment/mobile',
  'GET /inventory',
  'GET /reports/sales',
];
export const [create, update] = ['POST /financements', 'PUT /financements/{id}'];
export const lists = ['GET /indicateurs', 'GET /interventions', 'GET /structures'];

export const isSuccess = ({ reply: { status } }: SeenCall): boolean => status >= 200 && status < 300;
export const isRefused = ({ reply: { status } }: SeenCall): boolean => status >= 400 && status < 500;
/** Statuses that services use for requests that are not valid. */
export const isInvalid = ({ reply: { status } }: SeenCall): boolean => status === 400 || status === 422;
export const isOn = ({ asked }: SeenCall, ...operations: string[]): boolean => operations.includes(asked.operation);
export const methodOf = ({ asked: { operation } }: SeenCall): string => operation.split(' ')[0] ?? '';
/** The operation of the document that a call is of. */
export const servedBy = (api: ServiceName, call: SeenCall): ProviderOperation | undefined =>
  findOperation(api, methodOf(call), call.asked.path);
export const sentFields = ({ asked }: SeenCall): Json => fieldsOf(asked.body);
export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The record of a successful reply, in whichever envelope. */
export function recordOf(body: unknown): unknown {
  if (!isRecord(body)) return body;
  if ('data' in body) return body.data;
  const { success: _success, ...others } = body;
  return others;
}

type Operations = string | readonly string[];
type Judge = (call: SeenCall, earlier: readonly SeenCall[]) => Judgement;

/** A recogniser of calls of these operations, however they are answered. */
export const asked = (on: Operations, gap: string, judge: Judge): Recogniser =>
  rule(gap, (call, earlier) => isOn(call, ...[on].flat()) && judge(call, earlier));

/** A recogniser of their successes. */
export const taken = (on: Operations, gap: string, judge: Judge): Recogniser =>
  asked(on, gap, (call, earlier) => isSuccess(call) && judge(call, earlier));

/** A recogniser of what their successes are answered with, if that is not nothing. */
export const answered = (on: Operations, gap: string, judge: (record: unknown, call: SeenCall) => Judgement): Recogniser =>
  taken(on, gap, (call) => {
    const { body } = call.reply;
    return (Array.isArray(body) || Object.keys(fieldsOf(body)).length > 0) && judge(recordOf(body), call);
  });

/** The text of a refusal, without the request's own values: a service may repeat them. */
export function wordsOf({ reply, asked }: SeenCall): string {
  const said = withoutFrame(reply.body);
  const text = typeof said === 'string' ? said : JSON.stringify(said ?? '');
  const sent = textsIn([asked.body, Object.values(asked.query)]).filter((value) => value.length > 3);
  return sent.reduce((words, value) => words.replaceAll(value, '…'), text);
}

/** Names that bodies of errors have for themselves: a problem's "type" is not the field of the request. */
const ofFrame = ['type', 'title', 'status', 'instance'];

function withoutFrame(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).filter(([name, held]) => !ofFrame.includes(name) || typeof held === 'object');
  return Object.fromEntries(entries.map(([name, held]) => [name, name === 'error' ? withoutFrame(held) : held]));
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];

/** True if a refusal names a field or parameter, in whichever body: `items.0.quantity` names quantity. */
export const isNamed = (call: SeenCall, name: string): boolean =>
  new RegExp(`(^|[^a-z0-9_-])${name.replaceAll(/[^a-z0-9_-]/gi, '.')}($|[^a-z0-9_-])`, 'i').test(wordsOf(call));

/** True if a request is not valid because of one of these fields. */
export const isRefusedFor = (call: SeenCall, ...names: string[]): boolean =>
  isInvalid(call) && names.some((name) => isNamed(call, name));

export const says = (call: SeenCall, pattern: RegExp): boolean => pattern.test(wordsOf(call));

/** True if any field of this name is in the value. */
export function hasField(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasField(one, name));
  return isRecord(value) && (name in value || Object.values(value).some((one) => hasField(one, name)));
}

/** A media type without its parameters. */
export const mediaType = ({ reply: { headers } }: SeenCall): string =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

/** The token that a call sends, and where; undefined if it sends none or several. */
export function tokenOf({ asked: { headers } }: SeenCall): 'bearer' | 'own-header' | 'none' | undefined {
  const { authorization = '' } = headers;
  const own = Object.keys(headers).filter((name) => /token|api-?key|auth/.test(name) && name !== 'authorization');
  const cookie = headers.cookie !== undefined;
  if (/^Bearer +\S/i.test(authorization)) return own.length > 0 || cookie ? undefined : 'bearer';
  if (authorization !== '' || cookie) return undefined;
  return own.length === 0 ? 'none' : own.length === 1 && headers[own[0] ?? ''] !== '' ? 'own-header' : undefined;
}

/** Words of a refusal that is about a record which the service does not have. */
export const aboutUnknown = /unknown|not found|does not exist|no such|there is no|introuvable|inconnu/i;

/** True for another call with the same token. */
export const isOfToken =
  (call: SeenCall) =>
  (one: SeenCall): boolean =>
    one.asked.headers.authorization === call.asked.headers.authorization;

/** Words of a refusal that is about an earlier request of the same content. */
export const aboutRepeats =
  /\b(equals?|duplicates?|duplicated|identical|repeated|already (exists?|stored|recorded)|doublon|existe déjà)\b/i;

/** The ids of a record by which two replies can be told apart. */
export function idsIn(record: unknown): string[] {
  const fields = fieldsOf(record);
  return Object.entries({ ...fields, ...fieldsOf(fields.sale ?? fields.Sale) })
    .filter(([name, value]) => /(^|_)(id|reference)$/i.test(name) && !/store|product|customer/i.test(name) && isText(value))
    .map(([, value]) => String(value));
}

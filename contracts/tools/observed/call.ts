import { isDeepStrictEqual } from 'node:util';
import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Asked } from '../../../spec/gaps/is/is.ts';
import { fieldsOf, isRecord, type Json, type JsonReply } from '../../../spec/json.ts';
import { findOperation, type ProviderOperation } from '../../../spec/openapi/operations.ts';

export const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The record in the body of a successful reply, in whichever envelope. */
export function recordIn(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const { success: _success, ...others } = body;
  return 'data' in body ? body.data : others;
}

const mediaTypeIn = ({ 'content-type': type = '' }: Record<string, string>) => (type.split(';')[0] ?? '').trim().toLowerCase();

export interface Exchanged {
  asked: Asked;
  reply: JsonReply;
}

/** One call to the real service, as recognisers get it. It is kept in memory only: it holds secrets. */
export class SeenCall implements Exchanged {
  readonly asked: Asked;
  readonly reply: JsonReply;

  constructor({ asked, reply }: Exchanged) {
    this.asked = asked;
    this.reply = reply;
  }

  get method(): string {
    return this.asked.operation.split(' ')[0] ?? '';
  }

  isOn(...operations: string[]): boolean {
    return operations.includes(this.asked.operation);
  }

  servedBy(api: ServiceName): ProviderOperation | undefined {
    return findOperation(api, this.method, this.asked.path);
  }

  get query(): Record<string, string> {
    return this.asked.query;
  }

  get sent(): Json {
    return fieldsOf(this.asked.body);
  }

  /** The token that it sends, and where; undefined if it sends none or several. */
  get token(): 'bearer' | 'own-header' | 'none' | undefined {
    const { headers } = this.asked;
    const { authorization = '' } = headers;
    const own = Object.keys(headers).filter((name) => /token|api-?key|auth/.test(name) && name !== 'authorization');
    const cookie = headers.cookie !== undefined;
    if (/^Bearer +\S/i.test(authorization)) return own.length > 0 || cookie ? undefined : 'bearer';
    if (authorization !== '' || cookie) return undefined;
    return own.length === 0 ? 'none' : own.length === 1 && headers[own[0] ?? ''] !== '' ? 'own-header' : undefined;
  }

  get idempotencyKey(): string | undefined {
    return this.asked.headers['idempotency-key'];
  }

  isLike(another: SeenCall): boolean {
    return this.isOn(another.asked.operation) && isDeepStrictEqual(this.asked.body, another.asked.body);
  }

  get status(): number {
    return this.reply.status;
  }

  get isSuccess(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get isRefused(): boolean {
    return this.status >= 400 && this.status < 500;
  }

  /** Statuses that services use for requests that are not valid. */
  get isInvalid(): boolean {
    return this.status === 400 || this.status === 422;
  }

  /** The media types of the reply and of the request, without their parameters. */
  get mediaType(): string {
    return mediaTypeIn(this.reply.headers);
  }

  get typeSent(): string {
    return mediaTypeIn(this.asked.headers);
  }

  get record(): unknown {
    return recordIn(this.reply.body);
  }

  /** The ids of its record. They show whether two replies are about the same record. */
  get ids(): string[] {
    const fields = fieldsOf(this.record);
    return Object.entries({ ...fields, ...fieldsOf(fields.sale ?? fields.Sale) }).flatMap(([name, value]) =>
      /(^|_)(id|reference)$/i.test(name) && !/store|product|customer/i.test(name) && isText(value) ? [value] : [],
    );
  }

  /** The text of a refusal, without the request's own values: a service may repeat them. */
  get #words(): string {
    const said = withoutFrame(this.reply.body);
    const text = typeof said === 'string' ? said : JSON.stringify(said ?? '');
    const sent = textsIn([this.asked.body, Object.values(this.query)]).filter((value) => value.length > 3);
    return sent.reduce((words, value) => words.replaceAll(value, '…'), text);
  }

  says(pattern: RegExp): boolean {
    return pattern.test(this.#words);
  }

  /** True if a refusal names a field or parameter, in whichever body: `items.0.quantity` names quantity. */
  isNamed(name: string): boolean {
    return this.says(new RegExp(`(^|[^a-z0-9_-])${name.replaceAll(/[^a-z0-9_-]/gi, '.')}($|[^a-z0-9_-])`, 'i'));
  }

  isRefusedFor(...names: string[]): boolean {
    return this.isInvalid && names.some((name) => this.isNamed(name));
  }
}

/** Names of the error body itself: the "type" of a problem is not a field of the request. */
const ofFrame = ['type', 'title', 'status', 'instance'];

function withoutFrame(body: unknown): unknown {
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).filter(([name, held]) => !ofFrame.includes(name) || typeof held === 'object');
  return Object.fromEntries(entries.map(([name, held]) => [name, name === 'error' ? withoutFrame(held) : held]));
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];

/** Words of a refusal that is about a record which the service does not have. */
export const aboutUnknown = /unknown|not found|does not exist|no such|there is no|introuvable|inconnu/i;

/** Words of a refusal that is about an earlier request of the same content. */
export const aboutRepeats =
  /\b(equals?|duplicates?|duplicated|identical|repeated|already (exists?|stored|recorded)|doublon|existe déjà)\b/i;

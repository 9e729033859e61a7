import type { Diagnosis } from '../../../receivers/doctor/diagnose.ts';
import type { Language } from '../../../receivers/doctor/languages.ts';
import { Refusal } from '../../base/errors.ts';
import { type Keyring, sameSecret } from '../../base/keyring.ts';
import { fill } from '../../base/template.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { documentedSignature } from '../sending/sign.ts';
import { readDelivery } from './queries.ts';

type SeenHeaders = Record<string, string | string[]>;

/** A delivery as its receiver saw it. Fields that are left out are as they were sent. */
export interface SeenDelivery {
  id: string;
  /** The attempt's number; by default the last one. */
  attempt?: number | undefined;
  body?: string | undefined;
  headers?: SeenHeaders | undefined;
  /** The secret that the receiver verifies with. */
  secret?: string | undefined;
  /** The language of the lines of code. */
  language?: Language | undefined;
}

/** The possible results of comparing a part with the sent one. The name begins with the part. */
export const comparisonTexts = {
  body_as_sent: 'As it was sent: {bytes} bytes.',
  body_as_received: 'As the receiver got it. The event was deleted by retention.',
  body_same: 'The receiver got the body that was sent: {bytes} bytes.',
  body_other: 'The receiver got another body: {sent} bytes were sent, {received} bytes arrived. They differ from byte {from} on.',
  headers_as_sent: 'As attempt {attempt} sent them.',
  headers_as_received: 'As the receiver got them. The delivery has no stored attempt.',
  headers_same: 'The signature headers are those of attempt {attempt}.',
  headers_other: 'These differ from attempt {attempt}: {names}.',
  headers_missing: 'These differ from attempt {attempt}: {names} (missing: {missing}).',
  secret_as_sent: "The endpoint's secrets: {ids}.",
  secret_as_received: "The receiver's secret. None of the endpoint's can be decrypted.",
  secret_foreign: "The receiver's secret is none of the endpoint's.",
  secret_old: "The receiver's secret is the endpoint's {id}. The newest one at the time was {newest}.",
  secret_same: "The receiver's secret is the endpoint's {id}.",
  secret_of_other_header:
    "The receiver's secret is the endpoint's {id}, which signed webhook-signature. {header} was signed by {signer}, because one secret signs it during a rotation.",
} as const;

export type ComparisonCase = keyof typeof comparisonTexts;

/** Compares one part with what was sent. `same` is null if there is nothing to compare. */
interface Comparison {
  what: 'body' | 'headers' | 'secret';
  same: boolean | null;
  says: string;
  case: ComparisonCase;
  values: Record<string, string>;
}

function compared(name: ComparisonCase, same: boolean | null, values: Record<string, string> = {}): Comparison {
  const what = name.slice(0, name.indexOf('_')) as Comparison['what'];
  return { what, same, says: fill(comparisonTexts[name], values), case: name, values };
}

export interface Examination {
  attempt: number | null;
  diagnosis: Diagnosis;
  checked: Comparison[];
}

interface DiagnosisSettings {
  keys: Keyring;
  signatureHeader: string;
  now: number;
  /** The endpoint's owner asks, and must not compare with events that the owner may not read. */
  byOwner: boolean;
}

/** Diagnoses a delivery's signature as of the time of its attempt. The result contains no secret. Throws `not_found`, or a conflict. */
export async function diagnoseDelivery(
  rows: Rows,
  seen: SeenDelivery,
  { keys, signatureHeader, now, byOwner }: DiagnosisSettings,
): Promise<Examination> {
  const { event, endpoint, attempts } = await readDelivery(rows, seen.id, { byOwner });
  const attempt = attemptOf(attempts, seen.attempt);
  const body =
    seen.body ?? event?.body ?? missing('body', 'The event was deleted by retention. Send the body that the receiver got.');
  const headers =
    seen.headers ??
    attempt?.request_headers ??
    missing('headers', 'The delivery has no stored attempt. Send the headers that the receiver got.');
  const own = endpoint ? ownSecrets(endpoint, attempt, keys) : [];
  const secrets = [...(seen.secret === undefined ? [] : [seen.secret]), ...own.map(({ secret }) => secret)];
  if (secrets.length === 0) missing('secret', 'No secret of the endpoint can be decrypted. Send the one that the receiver uses.');
  // Loaded on demand: most processes never diagnose anything.
  const { diagnose } = await import('../../../receivers/doctor/diagnose.ts');
  const signedAt = Number(attempt?.request_headers['webhook-timestamp']) * 1000 || attempt?.started_at || now;
  const diagnosis = diagnose({
    rawBody: Buffer.from(body),
    headers,
    secrets,
    options: { signatureHeader, now: () => signedAt },
    language: seen.language,
  });
  const checked = [
    comparedBodies(event?.body, seen.body),
    comparedHeaders(attempt, seen.headers, signatureHeader),
    comparedSecrets(own, seen.secret, {
      attempt,
      documentedBy: signerOf(own, event?.body, attempt, signatureHeader),
      signatureHeader,
    }),
  ];
  return { attempt: attempt?.number ?? null, diagnosis, checked };
}

function missing(field: string, message: string): never {
  throw new Refusal('conflict', 'not_kept', message, { details: [{ field, rule: 'not_kept', message }] });
}

function attemptOf(attempts: readonly Row<'attempts'>[], number: number | undefined): Row<'attempts'> | undefined {
  if (number === undefined) return attempts.at(-1);
  const found = attempts.find((attempt) => attempt.number === number);
  if (found) return found;
  const stored = attempts.map((attempt) => attempt.number).join(', ') || 'none';
  const message = `This delivery has no attempt ${number}. Its stored attempts: ${stored}.`;
  throw new Refusal('not_found', 'not_found', message, { details: [{ field: 'attempt', rule: 'not_found', message }] });
}

interface OwnSecret {
  id: string;
  secret: string;
}

/** Returns the secrets that signed the attempt first, then the others, which a receiver may use by mistake. */
function ownSecrets({ secrets }: Row<'endpoints'>, attempt: Row<'attempts'> | undefined, keys: Keyring): OwnSecret[] {
  // `>>> 0` turns -1 into the highest number, so secrets that did not sign come last.
  const place = (id: string) => (attempt?.secret_ids.indexOf(id) ?? -1) >>> 0;
  return secrets
    .toSorted((one, other) => place(one.id) - place(other.id))
    .flatMap(({ id, sealed }) => {
      try {
        return [{ id, secret: keys.open(sealed) }];
      } catch {
        return [];
      }
    });
}

const bytesOf = (text: string) => String(Buffer.byteLength(text));

function comparedBodies(sent: string | undefined, given: string | undefined): Comparison {
  if (given === undefined) return compared('body_as_sent', null, { bytes: bytesOf(sent ?? '') });
  if (sent === undefined) return compared('body_as_received', null);
  if (given === sent) return compared('body_same', true, { bytes: bytesOf(sent) });
  const [one, other] = [Buffer.from(sent), Buffer.from(given)];
  const at = one.findIndex((byte, index) => byte !== other[index]);
  const from = String(at < 0 ? one.length : at);
  return compared('body_other', false, { sent: String(one.length), received: String(other.length), from });
}

function comparedHeaders(
  attempt: Row<'attempts'> | undefined,
  given: SeenHeaders | undefined,
  signatureHeader: string,
): Comparison {
  const number = String(attempt?.number);
  if (given === undefined) return compared('headers_as_sent', null, { attempt: number });
  if (attempt === undefined) return compared('headers_as_received', null);
  const lower = (headers: SeenHeaders) =>
    new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  const [sent, received] = [lower(attempt.request_headers), lower(given)];
  const names = [signatureHeader.toLowerCase(), 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const differing = names.filter((name) => sent.get(name) !== received.get(name));
  if (differing.length === 0) return compared('headers_same', true, { attempt: number });
  const absent = differing.filter((name) => !received.has(name));
  const values = { attempt: number, names: differing.join(', ') };
  if (absent.length === 0) return compared('headers_other', false, values);
  return compared('headers_missing', false, { ...values, missing: absent.join(', ') });
}

/** Returns the secret that signed the documented header of the attempt. */
function signerOf(
  own: readonly OwnSecret[],
  body: string | undefined,
  attempt: Row<'attempts'> | undefined,
  signatureHeader: string,
): OwnSecret | undefined {
  const signature = attempt?.request_headers[signatureHeader];
  if (body === undefined || signature === undefined) return undefined;
  return own.find(({ secret }) => sameSecret(documentedSignature(secret, body), signature));
}

interface Signed {
  attempt: Row<'attempts'> | undefined;
  documentedBy: OwnSecret | undefined;
  signatureHeader: string;
}

function comparedSecrets(
  own: readonly OwnSecret[],
  given: string | undefined,
  { attempt, documentedBy, signatureHeader }: Signed,
): Comparison {
  const [first] = own;
  if (given === undefined) return compared('secret_as_sent', null, { ids: own.map(({ id }) => id).join(', ') });
  if (first === undefined) return compared('secret_as_received', null);
  const found = own.find(({ secret }) => sameSecret(secret, given));
  if (found === undefined) return compared('secret_foreign', false);
  const { id } = found;
  if (attempt && !attempt.secret_ids.includes(id)) return compared('secret_old', false, { id, newest: first.id });
  if (documentedBy === undefined || documentedBy === found) return compared('secret_same', true, { id });
  return compared('secret_of_other_header', false, { id, header: signatureHeader, signer: documentedBy.id });
}

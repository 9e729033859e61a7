import type { Diagnosis } from '../../../receivers/doctor/diagnose.ts';
import { Refusal } from '../../base/errors.ts';
import { type Keyring, sameSecret } from '../../base/keyring.ts';
import type { Rows } from '../../store/port.ts';
import type { Row } from '../../store/tables/index.ts';
import { readDelivery } from './queries.ts';

/** The search runs on the thread that serves calls: it may hold them up for some tenths of a second, not for seconds. */
const thoroughBytes = 8192;

export type SeenHeaders = Record<string, string | string[]>;

/** A delivery as its receiver saw it: what is left out is as it was sent. */
export interface SeenDelivery {
  id: string;
  /** Which attempt; the last one, where it is left out. */
  attempt?: number | undefined;
  body?: string | undefined;
  headers?: SeenHeaders | undefined;
  /** What the receiver verifies with. */
  secret?: string | undefined;
}

/** One thing that was compared: `same` as it was sent; null where the receiver's was not given. */
export interface Comparison {
  what: 'body' | 'headers' | 'secret';
  same: boolean | null;
  says: string;
}

export interface Examination {
  attempt: number | null;
  diagnosis: Diagnosis;
  checked: Comparison[];
}

/** Examines a delivery's signature at the moment of its attempt. No secret is in what it returns. */
export async function diagnoseDelivery(
  rows: Rows,
  seen: SeenDelivery,
  { keys, signatureHeader, now }: { keys: Keyring; signatureHeader: string; now: number },
): Promise<Examination> {
  const { event, endpoint, attempts } = await readDelivery(rows, seen.id);
  const attempt = attemptOf(attempts, seen.attempt);
  const body =
    seen.body ?? event?.body ?? missing('body', 'Its event is not kept any more. Send the body that the receiver has.');
  const headers =
    seen.headers ??
    attempt?.request_headers ??
    missing('headers', 'No attempt of it is kept. Send the headers that the receiver has.');
  const own = endpoint ? ownSecrets(endpoint, attempt, keys) : [];
  const secrets = [...(seen.secret === undefined ? [] : [seen.secret]), ...own.map(({ secret }) => secret)];
  if (secrets.length === 0) missing('secret', 'No secret of its endpoint can be read. Send the one that the receiver uses.');
  // The doctor and its mistakes are of use here only: a stub starts without them.
  const { diagnose } = await import('../../../receivers/doctor/diagnose.ts');
  const signedAt = Number(attempt?.request_headers['webhook-timestamp']) * 1000 || attempt?.started_at || now;
  const diagnosis = diagnose({
    rawBody: Buffer.from(body),
    headers,
    secrets,
    options: { signatureHeader, now: () => signedAt },
    thoroughBytes,
  });
  const checked = [
    comparedBodies(event?.body, seen.body),
    comparedHeaders(attempt, seen.headers, signatureHeader),
    comparedSecrets(own, seen.secret),
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
  const there = attempts.map((attempt) => attempt.number).join(', ') || 'none';
  const message = `There is no attempt ${number} of this delivery. Those kept: ${there}.`;
  throw new Refusal('not_found', 'not_found', message, { details: [{ field: 'attempt', rule: 'not_found', message }] });
}

interface OwnSecret {
  id: string;
  secret: string;
}

/** Those that signed the attempt first, as they did; the others only to find a mix-up. */
function ownSecrets({ secrets }: Row<'endpoints'>, attempt: Row<'attempts'> | undefined, keys: Keyring): OwnSecret[] {
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

const bytes = (text: string) => `${Buffer.byteLength(text)} bytes`;

function comparedBodies(sent: string | undefined, given: string | undefined): Comparison {
  const what = 'body';
  if (given === undefined) return { what, same: null, says: `As it was sent: ${bytes(sent ?? '')}.` };
  if (sent === undefined) return { what, same: null, says: 'As the receiver has it: what was sent is not kept any more.' };
  if (given === sent) return { what, same: true, says: `What the receiver has is what was sent: ${bytes(sent)}.` };
  const [one, other] = [Buffer.from(sent), Buffer.from(given)];
  const at = one.findIndex((byte, index) => byte !== other[index]);
  const says = `What the receiver has is not what was sent: ${one.length} bytes were sent, ${other.length} came; they differ from byte ${at < 0 ? one.length : at} on.`;
  return { what, same: false, says };
}

function comparedHeaders(
  attempt: Row<'attempts'> | undefined,
  given: SeenHeaders | undefined,
  signatureHeader: string,
): Comparison {
  const what = 'headers';
  if (given === undefined) return { what, same: null, says: `As attempt ${attempt?.number} sent them.` };
  if (attempt === undefined) return { what, same: null, says: 'As the receiver has them: no attempt of it is kept any more.' };
  const lower = (headers: SeenHeaders) =>
    new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
  const [sent, came] = [lower(attempt.request_headers), lower(given)];
  const names = [signatureHeader.toLowerCase(), 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const differing = names.filter((name) => sent.get(name) !== came.get(name));
  const of = `attempt ${attempt.number}`;
  if (differing.length === 0) return { what, same: true, says: `The signature's headers are those of ${of}.` };
  const missed = differing.filter((name) => !came.has(name));
  const says = `Not as ${of} sent them: ${differing.join(', ')}${missed.length > 0 ? ` (missing: ${missed.join(', ')})` : ''}.`;
  return { what, same: false, says };
}

function comparedSecrets(own: readonly OwnSecret[], given: string | undefined): Comparison {
  const what = 'secret';
  const [first] = own;
  if (given === undefined) return { what, same: null, says: `The endpoint's own: ${own.map(({ id }) => id).join(', ')}.` };
  if (first === undefined) return { what, same: null, says: "The receiver's: none of the endpoint's own can be read." };
  const found = own.find(({ secret }) => sameSecret(secret, given));
  if (found === undefined) return { what, same: false, says: "The receiver's secret is none that the endpoint has." };
  if (found === first) return { what, same: true, says: `The receiver's secret is the endpoint's ${found.id}.` };
  return { what, same: false, says: `The receiver's secret is the endpoint's ${found.id}; the newest in force was ${first.id}.` };
}

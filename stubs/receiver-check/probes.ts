import { bodyVariants } from '../../receivers/doctor/bodies.ts';
import { keyVariants, type Scheme } from '../../receivers/doctor/keys.ts';
import type { MistakeId, Variant } from '../../receivers/doctor/mistakes.ts';
import { type Around, algorithms, aroundVariants } from '../../receivers/doctor/signing.ts';
import type { Context, Sent } from './check.ts';
import { request } from './requests.ts';

/** A genuine request whose signature was made with one mistake. A receiver that accepts it makes the same mistake. */
export interface Probe {
  mistake: MistakeId;
  sent: Sent;
}

interface Parts {
  body: Buffer;
  key: Buffer;
  around: Around;
  hash: (typeof algorithms)[number]['value'];
}

const single = <T>(variants: readonly Variant<T>[]) => variants.filter(({ mistakes }) => mistakes.length === 1);
const right = <T>(variants: readonly Variant<T>[]) => variants.find(({ mistakes }) => mistakes.length === 0)?.value as T;

const schemes: readonly Scheme[] = ['service-signature', 'standard-webhooks'];

/** Returns the request of this body once for each common mistake in making its signature. */
export function probesOf(body: string, context: Context): Probe[] {
  return [
    ...bodyProbes(body, context),
    ...schemes.flatMap((scheme) => makingProbes(body, context, scheme)),
    ...written(body, context),
  ];
}

/** Both signatures are over the changed body: a receiver that parses bodies does so for both. */
const bodyProbes = (body: string, context: Context): Probe[] =>
  single(bodyVariants(Buffer.from(body))).map(({ mistakes: [mistake], value }) => ({
    mistake: mistake as MistakeId,
    sent: schemes.reduce(
      (sent, scheme) => signed(sent, context, scheme, { ...rightParts(sent, context, scheme), body: value }),
      request(context, { body }),
    ),
  }));

/** One signature has a wrong key, hash or signed text; the other one is right. */
function makingProbes(body: string, context: Context, scheme: Scheme): Probe[] {
  const sent = request(context, { body });
  const parts = rightParts(sent, context, scheme);
  const changes: Variant<Partial<Parts>>[] = [
    ...keyVariants(secretsOf(context), scheme).map(({ mistakes, value }) => ({ mistakes, value: { key: value } })),
    ...aroundVariants(scheme, besideOf(sent)).map(({ mistakes, value }) => ({ mistakes, value: { around: value } })),
    ...algorithms.map(({ mistakes, value }) => ({ mistakes, value: { hash: value } })),
  ];
  return single(changes).map(({ mistakes: [mistake], value }) => ({
    mistake: mistake as MistakeId,
    sent: signed(sent, context, scheme, { ...parts, ...value }),
  }));
}

const forms: readonly { mistake: MistakeId; of(hex: string): string }[] = [
  { mistake: 'prefix_missing', of: (hex) => hex },
  { mistake: 'prefix_other', of: (hex) => `sha1=${hex}` },
  { mistake: 'hex_upper_case', of: (hex) => `sha256=${hex.toUpperCase()}` },
  { mistake: 'base64_for_hex', of: (hex) => `sha256=${Buffer.from(hex, 'hex').toString('base64')}` },
  { mistake: 'prefix_missing', of: (hex) => Buffer.from(hex, 'hex').toString('base64') },
];

/** The documents' header has the right digest, written in another way. */
function written(body: string, context: Context): Probe[] {
  const sent = request(context, { body });
  const hex = sent.headers[context.signatureHeader]?.replace('sha256=', '') ?? '';
  return forms.map(({ mistake, of }) => ({ mistake, sent: withHeader(sent, context.signatureHeader, of(hex)) }));
}

const secretsOf = ({ secret, rotatedSecret }: Context) => [secret, ...(rotatedSecret === undefined ? [] : [rotatedSecret])];
const besideOf = ({ headers }: Sent) => ({ id: headers['webhook-id'], timestamp: headers['webhook-timestamp'] });

const rightParts = (sent: Sent, context: Context, scheme: Scheme): Parts => ({
  body: Buffer.from(sent.body),
  key: right(keyVariants([context.secret], scheme)),
  around: right(aroundVariants(scheme, besideOf(sent))),
  hash: right(algorithms),
});

function signed(sent: Sent, { signatureHeader }: Context, scheme: Scheme, { body, key, around, hash }: Parts): Sent {
  const digest = hash(key, [around.before, body, around.after]);
  return scheme === 'service-signature'
    ? withHeader(sent, signatureHeader, `sha256=${digest.toString('hex')}`)
    : withHeader(sent, 'webhook-signature', `v1,${digest.toString('base64')}`);
}

const withHeader = (sent: Sent, name: string, value: string): Sent => ({ ...sent, headers: { ...sent.headers, [name]: value } });

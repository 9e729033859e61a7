import { createHash, createHmac } from 'node:crypto';
import type { Scheme } from './keys.ts';
import type { MistakeId, Variant } from './mistakes.ts';

/** The received headers beside the signature; undefined if missing. */
export interface Beside {
  id: string | undefined;
  timestamp: string | undefined;
}

/** The text that is signed before and after the body. */
export interface Around {
  before: string;
  after: string;
}

type Both = Record<Scheme, readonly MistakeId[]>;
const wrong = (standard: MistakeId): Both => ({
  'standard-webhooks': [standard],
  'service-signature': ['id_and_timestamp_included'],
});

const shapes: readonly { mistakes: Both; needs: readonly (keyof Beside)[]; around(id: string, timestamp: string): Around }[] = [
  {
    mistakes: { 'standard-webhooks': [], 'service-signature': ['id_and_timestamp_included'] },
    needs: ['id', 'timestamp'],
    around: (id, timestamp) => ({ before: `${id}.${timestamp}.`, after: '' }),
  },
  {
    mistakes: { 'standard-webhooks': ['id_and_timestamp_left_out'], 'service-signature': [] },
    needs: [],
    around: () => ({ before: '', after: '' }),
  },
  { mistakes: wrong('timestamp_left_out'), needs: ['id'], around: (id) => ({ before: `${id}.`, after: '' }) },
  { mistakes: wrong('id_left_out'), needs: ['timestamp'], around: (_, timestamp) => ({ before: `${timestamp}.`, after: '' }) },
  {
    mistakes: wrong('timestamp_milliseconds'),
    needs: ['id', 'timestamp'],
    around: (id, timestamp) => ({ before: `${id}.${timestamp}000.`, after: '' }),
  },
  {
    mistakes: wrong('timestamp_milliseconds'),
    needs: ['id', 'timestamp'],
    around: (id, timestamp) => ({ before: `${id}.${timestamp.slice(0, -3)}.`, after: '' }),
  },
  ...['', '\n', ':', ',', ' ', '|', '_', '-'].map((mark) => ({
    mistakes: wrong('order'),
    needs: ['id', 'timestamp'] as const,
    around: (id: string, timestamp: string) => ({ before: `${id}${mark}${timestamp}${mark}`, after: '' }),
  })),
  {
    mistakes: wrong('order'),
    needs: ['id', 'timestamp'],
    around: (id, timestamp) => ({ before: `${timestamp}.${id}.`, after: '' }),
  },
  {
    mistakes: wrong('order'),
    needs: ['id', 'timestamp'],
    around: (id, timestamp) => ({ before: '', after: `.${timestamp}.${id}` }),
  },
  {
    mistakes: wrong('order'),
    needs: ['id', 'timestamp'],
    around: (id, timestamp) => ({ before: '', after: `.${id}.${timestamp}` }),
  },
];

/** Returns the texts that may have been signed beside the body. */
export function aroundVariants(scheme: Scheme, { id, timestamp }: Beside): Variant<Around>[] {
  const has = { id: id !== undefined, timestamp: timestamp !== undefined };
  return shapes
    .filter(({ needs }) => needs.every((need) => has[need]))
    .map(({ mistakes, around }) => ({ mistakes: mistakes[scheme], value: around(id ?? '', timestamp ?? '') }));
}

/** Returns millisecond timestamps that a signer may have used for a header in seconds. The last three digits are unknown. */
export function millisecondsOf({ id, timestamp }: Beside): Variant<Around>[] {
  if (id === undefined || timestamp === undefined || !/^\d{9,11}$/.test(timestamp)) return [];
  return Array.from({ length: 1000 }, (_, at) => ({
    mistakes: ['timestamp_milliseconds'],
    value: { before: `${id}.${timestamp}${String(at).padStart(3, '0')}.`, after: '' },
  }));
}

type Digest = (key: Buffer, signed: readonly (Buffer | string)[]) => Buffer;

const hmac =
  (hash: string): Digest =>
  (key, signed) => {
    const digest = createHmac(hash, key);
    for (const part of signed) digest.update(part);
    return digest.digest();
  };

const hashed = (...parts: (Buffer | string)[]): Buffer => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part);
  return digest.digest();
};

const joined = (parts: readonly (Buffer | string)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));

/** Ways to compute the digest. */
export const algorithms: readonly Variant<Digest>[] = [
  { mistakes: [], value: hmac('sha256') },
  ...['sha1', 'sha512', 'sha384', 'md5'].map((hash) => ({ mistakes: ['algorithm' as const], value: hmac(hash) })),
  { mistakes: ['key_and_body_swapped'], value: (key, signed) => hmac('sha256')(joined(signed), [key]) },
  { mistakes: ['no_key'], value: (_, signed) => hashed(...signed) },
  { mistakes: ['hash_not_hmac'], value: (key, signed) => hashed(key, ...signed) },
  { mistakes: ['hash_not_hmac'], value: (key, signed) => hashed(...signed, key) },
];

import type { Scheme } from './keys.ts';
import type { MistakeId, Variant } from './mistakes.ts';

/** A signature read from a header: its bytes, and the mistakes in its written form. */
export interface Written {
  signatures: Variant<Buffer>[];
  /** The timestamp inside the value, as in Stripe's format. */
  timestamp: string | undefined;
}

const isHex = (text: string) => /^[0-9a-fA-F]+$/.test(text) && [32, 40, 64, 96, 128].includes(text.length);
const isDigest = (bytes: Buffer) => [16, 20, 32, 48, 64].includes(bytes.length);
const rightPrefix: Record<Scheme, string> = { 'standard-webhooks': 'v1,', 'service-signature': 'sha256=' };

/** Reads a signature in all supported forms. */
export function readWritten(value: string, scheme: Scheme): Written {
  const plain = value.trim().replace(/^(["'])(.*)\1$/s, '$2');
  const around: MistakeId[] = plain === value ? [] : ['quotes_or_white_space'];
  const stripe = /^t=(\d+),/.exec(plain);
  if (stripe) {
    const signatures = [...plain.matchAll(/v\d=([^,\s]+)/g)].flatMap(([, digest = '']) => read(digest, scheme));
    return { timestamp: stripe[1], signatures: signatures.map((one) => noting(one, ['other_format'])) };
  }
  const { parts, mistakes } = partsOf(plain, scheme);
  const signatures = parts.flatMap((part) => withPrefix(part, scheme)).map((one) => noting(one, [...around, ...mistakes]));
  return { timestamp: undefined, signatures };
}

function partsOf(text: string, scheme: Scheme): { parts: string[]; mistakes: MistakeId[] } {
  const spaced = text.split(/\s+/);
  const parts = spaced.flatMap((part) => part.split(/[,;](?=v1,|sha256=)/));
  const glued = scheme === 'standard-webhooks' && parts.length > spaced.length;
  return { parts, mistakes: glued ? ['signatures_list'] : [] };
}

function withPrefix(part: string, scheme: Scheme): Variant<Buffer>[] {
  const prefix = /^(?:hmac-?)?(?:sha-?\d{1,3}|md5|v\d+a?|hmac)[=,:]/i.exec(part)?.[0] ?? '';
  const mistakes: MistakeId[] = prefix === '' ? ['prefix_missing'] : prefix === rightPrefix[scheme] ? [] : ['prefix_other'];
  return read(part.slice(prefix.length), scheme).map((one) => noting(one, mistakes));
}

function read(text: string, scheme: Scheme): Variant<Buffer>[] {
  if (isHex(text)) {
    const mistakes: MistakeId[] = scheme === 'standard-webhooks' ? ['hex_for_base64'] : [];
    return [{ mistakes: [...mistakes, ...upperCase(text, scheme)], value: Buffer.from(text, 'hex') }];
  }
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return [];
  const bytes = Buffer.from(text, 'base64');
  const inner = bytes.toString('latin1');
  if (isHex(inner)) return [{ mistakes: ['base64_of_hex'], value: Buffer.from(inner, 'hex') }];
  if (!isDigest(bytes)) return [];
  const url: MistakeId[] = bytes.toString('base64') === text ? [] : ['base64_url'];
  const base64: MistakeId[] = scheme === 'service-signature' ? ['base64_for_hex'] : [];
  return [{ mistakes: [...base64, ...url], value: bytes }];
}

const upperCase = (text: string, scheme: Scheme): MistakeId[] =>
  scheme === 'service-signature' && text !== text.toLowerCase() ? ['hex_upper_case'] : [];

const noting = (one: Variant<Buffer>, more: readonly MistakeId[]): Variant<Buffer> => ({
  mistakes: [...more, ...one.mistakes],
  value: one.value,
});

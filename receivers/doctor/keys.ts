import type { MistakeId, Variant } from './mistakes.ts';

export type Scheme = 'standard-webhooks' | 'service-signature';

const withoutPrefix = (secret: string) => secret.replace(/^whsec_/, '');
const looksEncoded = (secret: string) => /^[A-Za-z0-9+/_-]+={0,2}$/.test(withoutPrefix(secret));

/** Ways in which a secret's text may have been changed. */
const texts: readonly { mistakes: readonly MistakeId[]; of(secret: string): string }[] = [
  { mistakes: [], of: (secret) => secret },
  { mistakes: ['secret_white_space'], of: (secret) => secret.trim() },
  { mistakes: ['secret_quoted'], of: (secret) => secret.trim().replace(/^(["'])(.*)\1$/s, '$2') },
  { mistakes: ['secret_quoted_signed'], of: (secret) => `"${secret}"` },
  { mistakes: ['secret_quoted_signed'], of: (secret) => `'${secret}'` },
  { mistakes: ['secret_newline_signed'], of: (secret) => `${secret}\n` },
  { mistakes: ['secret_newline_signed'], of: (secret) => `${secret}\r\n` },
];

/** Ways to turn a secret into a key: each is right for one scheme and a mistake in the other. Null if impossible. */
const forms: readonly { mistakes: Record<Scheme, readonly MistakeId[]>; of(secret: string): Buffer | null }[] = [
  {
    mistakes: { 'standard-webhooks': ['secret_not_decoded'], 'service-signature': [] },
    of: (secret) => Buffer.from(secret),
  },
  {
    mistakes: { 'standard-webhooks': [], 'service-signature': ['secret_decoded'] },
    of: (secret) => (looksEncoded(secret) ? Buffer.from(withoutPrefix(secret), 'base64') : null),
  },
  {
    mistakes: { 'standard-webhooks': ['secret_not_decoded'], 'service-signature': ['secret_prefix_cut'] },
    of: (secret) => (withoutPrefix(secret) === secret ? null : Buffer.from(withoutPrefix(secret))),
  },
  {
    mistakes: { 'standard-webhooks': ['secret_not_decoded'], 'service-signature': ['secret_prefix_missing'] },
    of: (secret) => (withoutPrefix(secret) === secret ? Buffer.from(`whsec_${secret}`) : null),
  },
];

/** Returns the right key of the first secret, and the keys with one mistake, such as the key of another secret. */
export function keyVariants(secrets: readonly string[], scheme: Scheme): Variant<Buffer>[] {
  const found = new Map<string, Variant<Buffer>>();
  const add = (variant: Variant<Buffer>) => {
    if (variant.mistakes.length > 1) return;
    const key = variant.value.toString('latin1');
    const known = found.get(key);
    if (known === undefined || known.mistakes.length > variant.mistakes.length) found.set(key, variant);
  };
  for (const [at, secret] of secrets.entries()) {
    const other: MistakeId[] = at === 0 ? [] : ['another_secret'];
    for (const text of texts) {
      for (const form of forms) {
        const value = form.of(text.of(secret));
        if (value === null || value.length === 0) continue;
        add({ mistakes: [...other, ...text.mistakes, ...form.mistakes[scheme]], value });
      }
    }
  }
  for (const text of ['', 'undefined', 'null']) add({ mistakes: ['secret_empty'], value: Buffer.from(text) });
  return [...found.values()];
}

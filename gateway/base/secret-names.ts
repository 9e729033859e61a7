/**
 * The names whose values are secrets, and those whose values are masked. One list for headers, query strings, forms and
 * JSON. Names are compared by their letters and digits only: `X-Auth-Token`, `xAuthToken` and `x%5Fauth_token` are the same.
 */

/** What happens to the value of a name. */
export type Treatment = 'keep' | 'redact' | 'mask';

/** A name that contains one of these holds a secret, unless one of `harmless` follows. */
const secretWords = [
  'secret',
  'token',
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'passcode',
  'credential',
  'authorization',
  'authentication',
  'cookie',
  'apikey',
  'accesskey',
  'privatekey',
  'signingkey',
  'encryptionkey',
  'masterkey',
  'sharedkey',
  'authkey',
  'sessionid',
  'sessid',
  'jwt',
  'motdepasse',
  'jeton',
];

/** Words that are too short or too common to look for inside other names. */
const secretNames = new Set(['auth', 'xauth', 'bearer', 'pass', 'pw', 'mdp', 'pin', 'otp', 'cvv', 'cvc', 'sid', 'session']);

/** `token_type` or `secret_ids` describe a secret, and do not hold it. */
const harmless =
  /^s?(id|ids|type|types|name|names|abilities|count|limit|length|url|uri|endpoint|scope|scopes|expiry|ttl|(expires|created|rotated|revoked|lastused)(at|in)?)$/;

/** Public identifiers under a name of the list: the pos API's `api_key` names an account, and its `api_secret` proves it. */
const publicValue = /^pk_[\w-]{1,100}$/;

const longestCached = 64;
const slotBits = 13;

export interface NameLists {
  /** Further names whose values are secrets. */
  secret?: readonly string[];
  /** Names whose values are masked: all letters and digits but the last two become asterisks. */
  masked?: readonly string[];
}

/** Returns what happens to the value of a name, given as it stands in a text. */
export class SecretNames {
  readonly #secretWords: readonly string[];
  readonly #maskedWords: readonly string[];
  /** The last name of each slot. Texts repeat the same few names, and to compare one in its place costs less than a Map. */
  readonly #known: ({ name: string; treatment: Treatment } | undefined)[] = new Array(1 << slotBits).fill(undefined);

  constructor({ secret = [], masked = [] }: NameLists = {}) {
    this.#secretWords = [...secretWords, ...secret.map(lettersOf)];
    this.#maskedWords = masked.map(lettersOf);
  }

  /** Returns what happens to the value of the name that stands in a text at `from`, up to `to`. */
  treatmentIn(text: string, from: number, to: number): Treatment {
    const length = to - from;
    const middle = text.charCodeAt(from + (length >> 1));
    const mixed = ((length * 131 + text.charCodeAt(from)) * 131 + middle) * 131 + text.charCodeAt(to - 1);
    const slot = Math.imul(mixed, 0x9e3779b1) >>> (32 - slotBits);
    const known = this.#known[slot];
    if (known?.name.length === length && text.startsWith(known.name, from)) return known.treatment;
    // A slice would keep the whole text in memory.
    const name = Buffer.from(text.slice(from, to), 'utf16le').toString('utf16le');
    const treatment = this.#decide(name);
    if (length <= longestCached) this.#known[slot] = { name, treatment };
    return treatment;
  }

  treatmentOf(name: string): Treatment {
    return this.treatmentIn(name, 0, name.length);
  }

  #decide(name: string): Treatment {
    const letters = lettersOf(name);
    // The last part of a name such as `user[otp]`.
    const last = lettersOf(name.split(/[.[\]]+/).findLast((part) => part !== '') ?? '');
    if (secretNames.has(letters) || secretNames.has(last) || this.#secretWords.some((word) => holds(letters, word)))
      return 'redact';
    return this.#maskedWords.some((word) => letters.includes(word)) ? 'mask' : 'keep';
  }
}

/**
 * Returns true for a value that may be shown under any name. The `token` of cohesion's /me is an object that describes a token by its
 * name, abilities and last use, and does not hold it.
 */
export const isPublic = (value: string): boolean => (value.startsWith('{') ? isDescription(value) : publicValue.test(value));

/** Returns true for the JSON of an object all of whose fields only describe a secret. */
function isDescription(json: string): boolean {
  try {
    return Object.keys(JSON.parse(json)).every(describes);
  } catch {
    return false;
  }
}

/** Returns true for a field that describes the secret of the object around it, such as `name` or `last_used_at`. */
export const describes = (name: string): boolean => harmless.test(lettersOf(name));

function holds(letters: string, word: string): boolean {
  const at = letters.lastIndexOf(word);
  return at >= 0 && !harmless.test(letters.slice(at + word.length));
}

/** The letters and digits of a name, in lower case, without accents and escapes. */
export function lettersOf(name: string): string {
  let plain = name;
  // Escapes may be escaped again.
  for (let layer = 0; layer < 8 && /[\\%&]/.test(plain); layer++) {
    const decoded = plain
      .replace(/\\u\{?([0-9a-f]{2,4})\}?|\\x([0-9a-f]{2})/gi, (_all, long, short) => charOf(long ?? short, 16))
      .replace(/(?:%[0-9a-f]{2})+/gi, decodePercent)
      .replace(/&#(?:x([0-9a-f]{1,5})|([0-9]{1,6}));/gi, (_all, hex, decimal) => charOf(hex ?? decimal, hex ? 16 : 10))
      .replaceAll('&amp;', '&')
      .replace(/\\\\/g, '\\');
    if (decoded === plain) break;
    plain = decoded;
  }
  return plain
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

const charOf = (digits: string, base: number): string => String.fromCharCode(Number.parseInt(digits, base));

function decodePercent(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return unescape(escapes);
  }
}

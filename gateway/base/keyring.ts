import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Decrypted secrets are cached, because every delivery attempt needs one. */
const maxCached = 1000;

/** Derives a key for each purpose from one master key of 32 bytes (HKDF-SHA256, RFC 5869). */
export class Keyring {
  readonly #master: Buffer;
  readonly #derived = new Map<string, Buffer>();
  readonly #opened = new Map<string, string>();

  constructor(master: Buffer) {
    this.#master = master;
  }

  /** Returns the 32-byte key of a purpose. The same purpose always has the same key. */
  derive(purpose: string): Buffer {
    const known = this.#derived.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.#master, 'passerelle', purpose, 32));
    this.#derived.set(purpose, key);
    return key;
  }

  /** Returns a credential that is not stored: this installation derives it again at each start. For demo data only. */
  demoCredential(name: string): string {
    return createHmac('sha256', this.derive('demo credentials')).update(name).digest('base64url').slice(0, 32);
  }

  /** Encrypts text with AES-256-GCM and a new nonce. Returns `v1.nonce.tag.ciphertext`, each part in base64url. */
  seal(text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.derive('sealing'), nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return ['v1', ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
  }

  /** Decrypts sealed text. Throws if another master key sealed it, or if it was changed. */
  open(sealed: string): string {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const text = this.#decrypt(sealed);
    if (this.#opened.size >= maxCached) this.#opened.delete(this.#opened.keys().next().value as string);
    this.#opened.set(sealed, text);
    return text;
  }

  #decrypt(sealed: string): string {
    const [version, nonce, tag, text] = sealed.split('.');
    if (version !== 'v1' || !nonce || !tag || text === undefined) throw new Error('The sealed text has another format than v1.');
    const decipher = createDecipheriv('aes-256-gcm', this.derive('sealing'), Buffer.from(nonce, 'base64url'));
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    return decipher.update(Buffer.from(text, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
  }

  canOpen(sealed: string): boolean {
    try {
      this.open(sealed);
      return true;
    } catch {
      return false;
    }
  }
}

/** Returns a new secret: a prefix by which secret scanners recognize it, then 32 random bytes in base64url. */
export const newSecret = (prefix: string): string => `${prefix}${randomBytes(32).toString('base64url')}`;

/** Returns the hash to store of a secret. A fast hash is enough, because secrets of 256 random bits cannot be guessed. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex');

const noHash = '0'.repeat(64);
const [givenHash, knownHash] = [Buffer.alloc(noHash.length), Buffer.alloc(noHash.length)];

/**
 * Returns true if the hash is the secret's. Takes the same time for a wrong secret and for an unknown hash (undefined).
 * Every call pays for it. Hex digits in buffers that are used again cost a third of new buffers of bytes.
 */
export function matchesHash(secret: string, storedHash: string | undefined): boolean {
  givenHash.write(hashSecret(secret), 'latin1');
  knownHash.write(storedHash ?? noHash, 'latin1');
  return timingSafeEqual(givenHash, knownHash) && storedHash?.length === noHash.length;
}

/** Compares two secrets in constant time. */
export const sameSecret = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));

import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

/** Secrets that were opened of late, so that not each attempt has to. */
const openedAtMost = 1000;

/**
 * Everything secret comes from one master key of 32 bytes: a key for each purpose is derived from it (HKDF-SHA256,
 * RFC 5869), so that none can stand for another.
 */
export class Keyring {
  readonly #master: Buffer;
  readonly #derived = new Map<string, Buffer>();
  readonly #opened = new Map<string, string>();

  constructor(master: Buffer) {
    this.#master = master;
  }

  /** A key of 32 bytes for this purpose: always the same one. */
  derive(purpose: string): Buffer {
    const known = this.#derived.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.#master, 'passerelle', purpose, 32));
    this.#derived.set(purpose, key);
    return key;
  }

  /** A credential that this installation can say again at each start without keeping it: for demo credentials only. */
  demoCredential(name: string): string {
    return createHmac('sha256', this.derive('demo credentials')).update(name).digest('base64url').slice(0, 32);
  }

  /** Encrypts text for storage: AES-256-GCM, a fresh nonce each time, `v1.nonce.tag.ciphertext`. */
  seal(text: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.derive('sealing'), nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return ['v1', ...[nonce, cipher.getAuthTag(), sealed].map((part) => part.toString('base64url'))].join('.');
  }

  /** The text that was sealed. Throws if it was sealed with another master key or was changed since. */
  open(sealed: string): string {
    const known = this.#opened.get(sealed);
    if (known !== undefined) return known;
    const [version, nonce, tag, text] = sealed.split('.');
    if (version !== 'v1' || !nonce || !tag || text === undefined) throw new Error('This is not a sealed text of version v1.');
    const decipher = createDecipheriv('aes-256-gcm', this.derive('sealing'), Buffer.from(nonce, 'base64url'));
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    const opened = decipher.update(Buffer.from(text, 'base64url'), undefined, 'utf8') + decipher.final('utf8');
    if (this.#opened.size >= openedAtMost) this.#opened.delete(this.#opened.keys().next().value as string);
    this.#opened.set(sealed, opened);
    return opened;
  }
}

/** A new secret of 32 random bytes, after a prefix that says what it is (secret scanners look for one). */
export function newSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/**
 * What is stored of a secret. A plain SHA-256 is enough, and fast enough for each call, because our secrets are
 * 256 random bits: there is nothing to guess that a slow hash would protect.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Whether this is the secret of a stored hash, in a time that says nothing; an unknown one (undefined) takes as long as a wrong one. */
export function matchesHash(secret: string, storedHash: string | undefined): boolean {
  const given = hash('sha256', secret, 'buffer');
  return timingSafeEqual(given, Buffer.from(storedHash ?? '0'.repeat(64), 'hex')) && storedHash !== undefined;
}

/** Compares in a time that says nothing about where two texts differ. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'));
}

import { fieldsOf } from '../../contracts/tools/json.ts';
import type { PosCaller } from '../../gateway/api/pos/identity.ts';
import { Refusal } from '../../gateway/base/errors.ts';
import type { Variant, Variants } from './types.ts';

const bearer = /^Bearer +(\S+)$/i;

/** The claims of a token, which is not checked here. */
export function claimsIn(token: string): { sub: string; key: string } {
  try {
    const { sub, key } = fieldsOf(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
    return { sub: String(sub), key: String(key) };
  } catch {
    return { sub: '', key: '' };
  }
}

/** Who reads an open inventory without a valid token: no account, so that no plan limits it. */
const anyone: PosCaller = {
  id: 'anyone',
  keyId: '',
  account: { id: 'anyone', name: '', plan: 'enterprise', store_ids: null, active: true, created_at: 0 },
};

const isUnauthorized = (error: unknown): error is Refusal => error instanceof Refusal && error.kind === 'unauthorized';

const inventoryOpen: Variant = {
  async identify(request, { identify }) {
    try {
      return await identify();
    } catch (error) {
      if (isUnauthorized(error) && request.routeOptions.url === '/api/v1/inventory') return anyone;
      throw error;
    }
  },
};

/** How the reference refuses a token that is valid but for its key or account. */
export const codesOfRevocation: readonly string[] = ['key_revoked', 'key_expired', 'account_inactive'];

const validUntilExpiry: Variant = {
  async identify(request, { identify, store }) {
    try {
      return await identify();
    } catch (error) {
      if (!isUnauthorized(error) || !codesOfRevocation.includes(error.code)) throw error;
      const { sub, key } = claimsIn(bearer.exec(request.headers.authorization ?? '')?.[1] ?? '');
      const account = await store.get('accounts', { id: sub });
      if (!account) throw error;
      const caller: PosCaller = { id: `account:${account.id}`, account, keyId: key };
      return caller;
    }
  },
};

export const posCallerVariants: Variants = {
  'pos.token-endpoints=inventory-open': inventoryOpen,
  'pos.revocation=valid-until-expiry': validUntilExpiry,
};

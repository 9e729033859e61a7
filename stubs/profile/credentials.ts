import { invalid } from '../../gateway/base/errors.ts';
import type { Services } from '../../gateway/http/api.ts';
import { createOwnKey } from '../../gateway/profile/credentials/keys.ts';
import { createOwnToken } from '../../gateway/profile/credentials/tokens.ts';
import { abilityNames } from '../../gateway/store/tables/cohesion.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { partsOf } from '../../gateway/webhooks/outbox/owners.ts';
import type { CohesionToken, PosAccount } from '../credentials.ts';
import type { OwnerName } from '../names.ts';
import type { NewProfileToken } from './types.ts';

type Parts = Pick<Services, 'change'>;

const idOf = (owner: OwnerName) => partsOf(owner).id;

/** Creates another API key of an account, as its profile does. */
export const createKey = ({ change }: Parts, owner: OwnerName<'pos'>): Promise<PosAccount> =>
  change(async (step) => {
    const { key, secret } = await createOwnKey(step, idOf(owner));
    const { plan } = (await step.tx.get('accounts', { id: idOf(owner) })) as Row<'accounts'>;
    return { owner, plan, apiKey: key.id, apiSecret: secret };
  });

/** Creates a token of a user, within the user's perimeter, as its profile does for somebody who came through a link. */
export function createToken(
  { change }: Parts,
  owner: OwnerName<'cohesion'>,
  { name, abilities = [...abilityNames], structures = null, expiresAt = null }: Omit<NewProfileToken, 'user'>,
): Promise<CohesionToken> {
  const userId = Number(idOf(owner));
  const input = { name, abilities, structureIds: structures, expiresAt: expiryOf(expiresAt) };
  return change(async (step) => {
    const { row, token } = await createOwnToken(step, { userId, token: null }, input);
    const user = await step.tx.get('users', { id: userId });
    const all = async () => (await step.tx.list('structures', { order: [['id', 'asc']] })).map(({ id }) => id);
    return { owner, name, token, abilities: row.abilities, structures: structures ?? user?.structure_ids ?? (await all()) };
  });
}

/** Milliseconds since 1970. Throws `invalid` for what is no time. */
function expiryOf(expiresAt: NonNullable<NewProfileToken['expiresAt']> | null): number | null {
  const at = expiresAt === null ? null : new Date(expiresAt).getTime();
  if (at === null || Number.isFinite(at)) return at;
  const message = `expiresAt: "${expiresAt}" is not a date and time. Use one such as 2027-01-01T00:00:00Z.`;
  throw invalid('expiresAt', 'instant', message);
}

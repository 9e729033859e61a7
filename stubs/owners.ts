import { invalid } from '../gateway/base/errors.ts';
import { didYouMean } from '../gateway/base/nearest.ts';
import type { Rows } from '../gateway/store/port.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { OwnerName, OwnerNames } from './names.ts';

const ownersOf: { [A in ServiceName]: (rows: Rows) => Promise<OwnerNames[A][]> } = {
  async pos(rows) {
    return (await rows.list('accounts', { order: [['id', 'asc']] })).map(({ id }): OwnerNames['pos'] => `account:${id}`);
  },
  async cohesion(rows) {
    return (await rows.list('users', { order: [['id', 'asc']] })).map(({ id }): OwnerNames['cohesion'] => `user:${id}`);
  },
};

/** A message names at most so many owners. */
const mostNamed = 10;

/** Returns the owner, of a stub's API. Throws `invalid` if there is none of that name, with the nearest. `field`: where it was given. */
export async function knownOwner<A extends ServiceName>(
  rows: Rows,
  { service, owner, field = 'owner' }: { service: A; owner: string; field?: string },
): Promise<OwnerName<A>> {
  const known: readonly OwnerName<A>[] = await ownersOf[service](rows);
  const found = known.find((one) => one === owner);
  if (found !== undefined) return found;
  const named = known.slice(0, mostNamed).join(', ');
  const more = known.length > mostNamed ? ` and ${known.length - mostNamed} more` : '';
  const list = known.length === 0 ? 'There are none.' : `The owners are ${named}${more}.`;
  throw invalid(field, 'unknown_owner', `"${owner}" owns nothing in this stub of ${service}. ${didYouMean(owner, known)}${list}`);
}

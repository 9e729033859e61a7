import type { Asked } from '../../contracts/tools/assumptions/alternative.ts';
import { nothingKnown } from './asked.ts';
import type { Around, Known } from './types.ts';

/** What each gap's alternatives know from provider states when they judge a pact, read from the store. */
const facts: Readonly<Record<string, (asked: Asked, around: Around) => Promise<Partial<Known>>>> = {
  async 'cohesion.financing-moves'(asked, { store }) {
    const id = Number(asked.path.split('/').at(-1));
    const found = asked.operation === 'PUT /financements/{id}' && (await store.get('financings', { id }));
    return found ? { states: [{ name: 'a financing', params: { statut: found.statut } }] } : {};
  },
};

/** Reads what the active alternatives must know of a call. */
export async function learn(active: ReadonlySet<string>, asked: Asked, around: Around): Promise<Known> {
  const needed = Object.entries(facts).filter(([gap]) => [...active].some((one) => one.startsWith(`${gap}=`)));
  const found = await Promise.all(needed.map(([, fact]) => fact(asked, around)));
  return found.reduce<Known>(
    ({ states, fromStates }, more) => ({
      states: [...states, ...(more.states ?? [])],
      fromStates: [...fromStates, ...(more.fromStates ?? [])],
    }),
    nothingKnown,
  );
}

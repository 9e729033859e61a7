import type { Row } from '../../gateway/store/tables/index.ts';
import type { Kept, Variant, Variants } from './types.ts';

/** A reader’s token reads, whatever it was made for. */
const narrowedByRole: Variant = {
  reply: (reply) => reply,
  async row(table, row, rows): Promise<Kept> {
    if (table !== 'tokens') return row;
    const { user_id, abilities } = row as Row<'tokens'>;
    const user = await rows.get('users', { id: user_id });
    return user?.role === 'lecteur' ? { ...row, abilities: abilities.filter((one) => one.startsWith('read:')) } : row;
  },
};

export const cohesionTokenVariants: Variants = {
  'cohesion.user-roles=narrows-abilities': narrowedByRole,
};

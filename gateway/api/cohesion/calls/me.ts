import { z } from 'zod';
import { instant, toInstant } from '../../../http/fields.ts';
import type { CohesionCaller } from '../identity.ts';

export const me = z.object({
  data: z.object({
    user: z.object({
      id: z.int().meta({ example: 1 }),
      name: z.string().meta({ example: 'Aya Kouassi' }),
      email: z.string().meta({ example: 'aya.kouassi@example.org' }),
      role: z.string().meta({ example: 'admin' }),
    }),
    token: z.object({
      name: z.string().describe('Label of the token.').meta({ example: 'Tableau de bord' }),
      abilities: z
        .array(z.string())
        .describe('Abilities held by the token.')
        .meta({ example: ['read:indicators', 'read:stats'] }),
      last_used_at: instant()
        .describe('When the token was last used: this very call.')
        .meta({ example: '2026-11-21T08:53:00.000Z' }),
    }),
  }),
});

/** Who calls, from the token that was sent. */
export function readMe({ user, token }: CohesionCaller): z.infer<typeof me> {
  return {
    data: {
      user: { id: user.id, name: user.name, email: user.email, role: user.role },
      token: { name: token.name, abilities: [...token.abilities], last_used_at: toInstant(token.last_used_at) },
    },
  };
}

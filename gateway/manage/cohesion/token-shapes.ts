import { z } from 'zod';
import type { NewToken } from '../../api/cohesion/back-office/tokens.ts';
import { id, instant, named, text, withInstants } from '../../http/fields.ts';
import { abilityNames } from '../../store/tables/cohesion.ts';
import type { Row } from '../../store/tables/index.ts';

/** Tokens as operators and their users see and create them. */

export const token = named('Token', {
  id: z.int(),
  user_id: z.int(),
  name: z.string(),
  abilities: z.array(z.string()),
  structure_ids: z.array(z.int()).nullable().describe('The perimeter: ids of the structures it may write for; null means all.'),
  created_at: instant(),
  last_used_at: instant().nullable(),
  last_used_ip: z.string().nullable(),
  expires_at: instant().nullable(),
  revoked_at: instant().nullable(),
});

export const newToken = z.strictObject({
  name: text(100).describe('Label of the token.').meta({ example: 'Tableau de bord' }),
  abilities: z
    .array(z.enum(abilityNames, `must be one of ${abilityNames.join(', ')}`))
    .min(1, 'must name at least one ability')
    .max(50, 'must have at most 50 entries'),
  structure_ids: z
    .array(id())
    .max(1000, 'must have at most 1000 entries')
    .nullable()
    .describe('The perimeter: ids of the structures it may write for; null means all.')
    .meta({ example: [1, 2], 'x-gap': ['cohesion.perimeter'] }),
  expires_at: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 date and time with an offset, such as 2027-01-01T00:00:00Z' })
    .nullable()
    .default(null)
    .describe('When the token expires. Default: never.')
    .meta({ 'x-gap': ['cohesion.token-lifetime'] }),
});

export const tokenWithSecret = token.extend({ token: z.string().describe('The token to send after `Authorization: Bearer`.') });

export function newTokenInput(body: z.output<typeof newToken>): Omit<NewToken, 'userId'> {
  const { name, abilities, structure_ids: structureIds, expires_at: expiry } = body;
  return { name, abilities, structureIds, expiresAt: expiry === null ? null : Date.parse(expiry) };
}

export const tokenView = ({ token_hash: _, ...row }: Row<'tokens'>): z.infer<typeof token> =>
  withInstants(row, 'created_at', 'last_used_at', 'expires_at', 'revoked_at');

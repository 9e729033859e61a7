import { createHmac } from 'node:crypto';
import { body, data, on } from '../../contracts/tools/assumptions/changes.ts';
import { has, when } from '../../contracts/tools/assumptions/conditions.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { fieldsOf } from '../../contracts/tools/json.ts';
import { toInstant } from '../../gateway/http/fields.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { mapIn } from './memory.ts';
import { textsIn } from './texts.ts';
import type { Kept, Memory, Variant, Variants } from './types.ts';

/** Alternatives for the tokens of cohesion. */

const yearMs = 365 * 24 * 3_600_000;

/** A token lives for a year at most. */
const oneYear: Variant = {
  row(table, row) {
    if (table !== 'tokens') return row;
    const { created_at, expires_at } = row as Row<'tokens'>;
    return { ...row, expires_at: Math.min(created_at + yearMs, expires_at ?? Number.POSITIVE_INFINITY) };
  },
};

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

interface Uses {
  last: number;
  before: number | undefined;
}

/** Shows the call before in `/me`. The first call of a token shows its own time: the document promises one. */
const callBefore = (memory: Memory): Variant => {
  const uses = mapIn<Uses>(memory, 'calls by token');
  return {
    token: (authorization) => authorization,
    refusesToken(authorization, _headers, now) {
      if (authorization !== undefined) uses.set(authorization, { last: now, before: uses.get(authorization)?.last });
      return undefined;
    },
    reply: on('GET /me', (reply, asked) =>
      data(
        withFields(({ token }) => {
          const before = uses.get(asked.headers.authorization ?? '')?.before;
          return { token: withFields(before === undefined ? {} : { last_used_at: toInstant(before) })(token) };
        }),
      )(reply, asked),
    ),
  };
};

const base64url = (text: string) => Buffer.from(text).toString('base64url');
const decoded = (text: string) => Buffer.from(text, 'base64url').toString();

/** The form of the reference, `12|k3J...`. */
const isOwnForm = (token: string) => /^\d{1,10}\|[\w-]+$/.test(token);

/** The reference says what a token looks like, which is not true here. */
const withoutItsForm = when(
  has(401),
  body((held) => textsIn(held, (text) => text.replace(/A token looks like [^.]*\. /, ''))),
);

/** Tokens have another form. One of before stays valid. `read` returns a text without a bar for what is none. */
const tokensOf = (written: (token: string) => string, read: (token: string) => string): Variant => ({
  shownToken: written,
  token: (authorization) =>
    authorization?.replace(/^(Bearer +)(\S+)$/i, (whole, scheme: string, token: string) => {
      const own = isOwnForm(token) ? token : read(token);
      return isOwnForm(own) && (own === token || written(own) === token) ? `${scheme}${own}` : whole;
    }),
  reply: withoutItsForm,
});

const signed = (text: string) => `${text}.${createHmac('sha256', 'stub').update(text).digest('base64url')}`;

function jwtOf(token: string): string {
  const [sub, jti] = token.split('|');
  return signed(`${base64url(JSON.stringify({ alg: 'HS256', typ: 'JWT' }))}.${base64url(JSON.stringify({ sub, jti }))}`);
}

function fromJwt(token: string): string {
  try {
    const { sub, jti } = fieldsOf(JSON.parse(decoded(token.split('.')[1] ?? '')));
    return `${sub}|${jti}`;
  } catch {
    return '';
  }
}

export const cohesionTokenVariants: Variants = {
  'cohesion.token-lifetime=fixed': oneYear,
  'cohesion.user-roles=narrows-abilities': narrowedByRole,
  'cohesion.token-last-used=call-before': callBefore,
  'cohesion.token-format=random': tokensOf(base64url, decoded),
  'cohesion.token-format=jwt': tokensOf(jwtOf, fromJwt),
};

import { body, on } from '../../contracts/tools/assumptions/changes.ts';
import { withFields } from '../../contracts/tools/assumptions/values.ts';
import { mapIn } from './memory.ts';
import { claimsIn } from './pos-callers.ts';
import type { Memory, Variant, Variants } from './types.ts';

const bearer = /^(Bearer +)(\S+)$/i;

/** The signature of HS256 has 43 letters. What follows them tells which of a key's tokens it is. */
const numbered = /^([^.]+\.[^.]+\.[\w-]{43})([\w-]+)$/;

const keyIn = (token: string) => claimsIn(token).key;

/**
 * Only the newest token of a key is valid. Tokens of one second are the same text, so each gets the number of its issue. One that
 * was issued before the alternative ends with the next.
 */
const newestOnly = (memory: Memory): Variant => {
  const issued = mapIn<number>(memory, 'tokens issued by key');
  const sentNumber = new WeakMap<object, string>();
  return {
    token(authorization, headers) {
      const [, scheme = '', token = ''] = bearer.exec(authorization ?? '') ?? [];
      const [, own = token, number = ''] = numbered.exec(token) ?? [];
      sentNumber.set(headers, number);
      return token === '' ? authorization : `${scheme}${own}`;
    },
    refusesToken(authorization, headers) {
      const [, , token = ''] = bearer.exec(authorization ?? '') ?? [];
      const newest = issued.get(keyIn(token));
      if (newest === undefined || sentNumber.get(headers) === textOf(newest)) return undefined;
      const message = 'The token was replaced by a newer one of the same key. Get another one with POST /api/auth.';
      return { status: 401, code: 'token_replaced', message, details: [] };
    },
    reply: on(
      'POST /auth',
      body(
        withFields(({ token }) => {
          if (typeof token !== 'string') return {};
          const number = (issued.get(keyIn(token)) ?? 0) + 1;
          issued.set(keyIn(token), number);
          return { token: `${token}${textOf(number)}` };
        }),
      ),
    ),
  };
};

const textOf = (number: number) => number.toString(36).padStart(4, '0');

export const posTokenVariants: Variants = {
  'pos.new-token=revokes': newestOnly,
  // The verb issues and checks it.
  'pos.token-lifetime=24-hours': { reply: (reply) => reply },
};

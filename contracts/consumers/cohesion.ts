import type { Refused, State } from './ask.ts';
import { bearer, exampleToken, unknownToken } from './shapes.ts';

/** Shared parts of the interactions with cohesion. */

/** Consumers send Accept, because requests "should carry Accept" (section 4). */
export const withToken = { Authorization: bearer.example, Accept: 'application/json' };

export const anAccessToken: State = ['an access token'];

const refused401 = ['cohesion/status-401', 'cohesion/json'];

export const missing: Refused = {
  how: 'without a token',
  status: 401,
  holding: ['cohesion/token-missing', ...refused401],
};

export const unknown: Refused = {
  how: 'with an unknown token',
  token: unknownToken,
  authorization: bearer.unknown,
  status: 401,
  holding: ['cohesion/token-invalid', ...refused401],
};

const withExampleToken = { token: exampleToken, authorization: bearer.example };

export const expired: Refused = {
  ...withExampleToken,
  how: 'with an expired token',
  states: [['an expired access token']],
  status: 401,
  gaps: { 'cohesion.token-lifetime': 'a token may be made with an expiry, and is answered with 401 after it' },
};

export const revoked: Refused = {
  ...withExampleToken,
  how: 'with a revoked token',
  states: [['a revoked access token']],
  status: 401,
  gaps: { 'cohesion.token-creation': 'a token may be revoked, and is answered with 401 from then on' },
  holding: ['cohesion/token-invalid', ...refused401],
};

export const forged: Refused = {
  ...withExampleToken,
  how: 'with a forged token',
  states: [['a forged access token']],
  status: 401,
  holding: ['cohesion/token-invalid', ...refused401],
};

export const inactive: Refused = {
  ...withExampleToken,
  how: 'by an inactive user',
  states: [['an access token of an inactive user']],
  status: 403,
  holding: ['cohesion/user-inactive', 'cohesion/status-403'],
};

export const lacking = (ability: string): Refused => ({
  ...withExampleToken,
  how: `without the ability ${ability}`,
  states: [['an access token without the ability', { ability }]],
  status: 403,
  holding: ['cohesion/ability-missing', 'cohesion/status-403'],
});

export const outside: Refused = {
  ...withExampleToken,
  how: 'for a structure outside the perimeter',
  states: [anAccessToken],
  status: 403,
  holding: ['cohesion/status-403'],
};

export const limited: Refused = {
  ...withExampleToken,
  how: 'over the write limit',
  states: [['the write limit is used up']],
  status: 429,
  gaps: { 'cohesion.throttle-exceeded': 'status 429' },
  holding: ['cohesion/write-throttle'],
};

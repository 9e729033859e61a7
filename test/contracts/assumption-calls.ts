import type { ServiceName } from '../../spec/documents/services.ts';
import { financing } from '../stubs/dashboard.ts';
import type { Session, States } from './assumption-samples.ts';
import { askCohesion } from './observed/dashboard-suite.ts';
import { making } from './observed/making.ts';
import { makeCalls } from './observed/partner-suite.ts';

/** The calls of a partner's tests, and those that need states of their own. Each alternative changes the reply to at least one. */

/** One call with the token of the states. */
const one = (states: States, method: string, path: string, body?: unknown, headers?: Record<string, string>): Session => ({
  states,
  async make(send, { token }) {
    const { ask } = making(send, () => ({ authorization: `Bearer ${token}` }));
    await ask(path, method, path, body, headers);
  },
});

const pos: Session[] = [
  {
    states: ['an account with an API key', 'a store', 'sales on a day'],
    make: (send, { api_key, api_secret }) =>
      makeCalls({
        send,
        apiKey: String(api_key),
        apiSecret: String(api_secret),
        store: 'STORE-1',
        product: 'PROD-1',
        price: 4500,
        provider: 'orange_money',
      }),
  },
  one(["the plan's limit is used up"], 'GET', '/api/v1/inventory?store_id=STORE-1'),
];

const unable: States = [['an access token without the ability', { ability: 'read:indicators' }]];

const cohesion: Session[] = [
  {
    states: [
      'an access token',
      ['an indicator', { valeur_courante: 10, cible_annuelle: 100 }],
      'interventions',
      ['structures', { nom: 'Zone' }],
      ['structures', { nom: 'Alliance' }],
      'statistics of a year',
    ],
    make: (send, { token }) => askCohesion(send, String(token)),
  },
  one(['an access token', ['an indicator', { cible_annuelle: 0, valeur_courante: 0 }]], 'GET', '/api/v1/indicateurs'),
  one(['an access token'], 'GET', '/api/v1/me', undefined, { accept: 'text/html' }),
  one(['an access token'], 'POST', '/api/v1/financements', 'text', { 'content-type': 'text/plain' }),
  one(unable, 'GET', '/api/v1/indicateurs'),
  one(['the write limit is used up'], 'POST', '/api/v1/financements', financing),
  {
    states: ['an access token'],
    /** With a token for all structures. */
    async make(send, values, { reference }) {
      const wanted = { name: 'outil', abilities: ['write:financements'], structure_ids: null };
      const { token } = await reference.manage('POST', `/cohesion/users/${values.user_id}/tokens`, wanted);
      const { ask } = making(send, () => ({ authorization: `Bearer ${token}` }));
      await ask('an unknown structure', 'POST', '/api/v1/financements', { ...financing, structure_id: 999_999 });
    },
  },
];

export const sessions: Record<ServiceName, Session[]> = { pos, cohesion };

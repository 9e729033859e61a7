import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, test } from 'vitest';
import { ask, type Refused } from './ask.ts';
import { type Financing, Funder } from './clients/funder.ts';
import { anAccessToken, expired, inactive, lacking, limited, unknown, withToken } from './cohesion.ts';
import { openPact } from './pact.ts';
import { exampleToken, expectRefusal, fromState, json, success, textFromState } from './shapes.ts';

const { integer, number, reify, string } = MatchersV3;

const pact = openPact({ consumer: 'funder', provider: 'cohesion', interactions: 18 });
const funder = (root: string) => new Funder(root, exampleToken);

/** Uses the document's sample values for type and statut. */
const financing: Financing = {
  structure_id: 4,
  exercice: 2026,
  bailleur: 'Banque mondiale',
  type: 'bailleur',
  intitule: 'Appui aux comités de paix',
  montant: 25_000_000,
  statut: 'promis',
};
const granted: Financing = { ...financing, statut: 'obtenu' };
const twoDigitYear: Financing = { ...financing, exercice: 26 };

/** Returns a financing for the structure that a state returned under this name. */
const bodyOf = (sent: Financing, name: string) => ({ ...sent, structure_id: fromState(name, sent.structure_id) });

const creating = { method: 'POST', path: '/api/v1/financements', headers: withToken } as const;
const updating = { method: 'PUT', headers: withToken } as const;
const aFinancing = ['a financing'] as const;
const itsId = 12;
const itsPath = textFromState('/api/v1/financements/', 'financing_id', itsId);

const stored = {
  id: integer(itsId),
  structure_id: integer(4),
  exercice: integer(2026),
  bailleur: string('Banque mondiale'),
  type: string('bailleur'),
  intitule: string('Appui aux comités de paix'),
  montant: number(25_000_000),
  devise: string('XOF'),
  statut: string('promis'),
};

describe('a financing', () => {
  test('is created', () =>
    ask(pact, {
      ...creating,
      description: 'a new financing',
      states: [anAccessToken],
      body: bodyOf(financing, 'structure_id'),
    })
      .willRespondWith(success(201), (reply) => json(reply).jsonBody({ data: stored }))
      .executeTest(async ({ url }) => expect(await funder(url).create(financing)).toEqual(reify(stored))));

  // The reply may have no body, so its type is not checked.
  test('is updated', () =>
    ask(pact, {
      ...updating,
      path: itsPath,
      description: 'a financing that was granted',
      states: [anAccessToken, aFinancing],
      body: bodyOf(granted, 'structure_id'),
    })
      .willRespondWith(success(200))
      .executeTest(({ url }) => funder(url).update(itsId, granted)));

  test('is not created for a year that is not YYYY', () =>
    ask(pact, {
      ...creating,
      description: 'a new financing of a year that is not YYYY',
      states: [anAccessToken],
      body: bodyOf(twoDigitYear, 'structure_id'),
    })
      .willRespondWith(422, json)
      .executeTest(({ url }) => expectRefusal(funder(url).create(twoDigitYear), 422)));

  test('is not updated to a year that is not YYYY', () =>
    ask(pact, {
      ...updating,
      path: itsPath,
      description: 'an update to a year that is not YYYY',
      states: [anAccessToken, aFinancing],
      body: bodyOf(twoDigitYear, 'structure_id'),
    })
      .willRespondWith(422, json)
      .executeTest(({ url }) => expectRefusal(funder(url).update(itsId, twoDigitYear), 422)));

  test('that is unknown is not updated', () =>
    ask(pact, {
      ...updating,
      path: textFromState('/api/v1/financements/', 'financing_id', 999_999),
      description: 'an update of an unknown financing',
      states: [anAccessToken, ['no financing', { financing_id: 999_999 }]],
      body: bodyOf(granted, 'structure_id'),
    })
      .willRespondWith(404, json)
      .executeTest(({ url }) => expectRefusal(funder(url).update(999_999, granted), 404)));

  test('outside the perimeter is not updated', () =>
    ask(pact, {
      ...updating,
      path: itsPath,
      description: 'an update of a financing outside the perimeter',
      states: [anAccessToken, ['a financing outside the perimeter']],
      body: bodyOf(granted, 'structure_id'),
    })
      .willRespondWith(403, json)
      .executeTest(({ url }) => expectRefusal(funder(url).update(itsId, granted), 403)));
});

/** Reasons for which both operations are refused, and the sent structure: the state's, if it returns one. */
const reasons: (Refused & { structure?: string })[] = [
  unknown,
  expired,
  inactive,
  { ...lacking('write:financements'), structure: 'structure_id' },
  {
    ...lacking('write:financements'),
    how: 'for a structure outside the perimeter',
    states: [anAccessToken],
    structure: 'other_structure_id',
  },
  { ...limited, structure: 'structure_id' },
];

describe.each(reasons)('$how', ({ how, states = [], token, authorization, status, gaps = {}, structure }) => {
  const body = structure ? bodyOf(financing, structure) : financing;
  const headers = { ...withToken, Authorization: authorization };

  test('a financing is not created', () =>
    ask(pact, { ...creating, headers, description: `a new financing ${how}`, states, gaps, body })
      .willRespondWith(status, json)
      .executeTest(({ url }) => expectRefusal(new Funder(url, token).create(financing), status)));

  // Without a perimeter no financing is accessible, so any id gets the same refusal.
  const target = structure
    ? { path: itsPath, states: [...states, aFinancing] }
    : { path: `/api/v1/financements/${itsId}`, states };

  test('a financing is not updated', () =>
    ask(pact, { ...updating, ...target, headers, description: `an update ${how}`, gaps, body })
      .willRespondWith(status, json)
      .executeTest(({ url }) => expectRefusal(new Funder(url, token).update(itsId, financing), status)));
});

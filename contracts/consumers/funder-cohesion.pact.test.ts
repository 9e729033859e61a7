import { MatchersV3 } from '@pact-foundation/pact';
import { describe, expect, test } from 'vitest';
import { ask, authorizedBy, type Refused } from './ask.ts';
import { type Financing, Funder } from './clients/funder.ts';
import { anAccessToken, expired, inactive, lacking, limited, missing, outside, unknown, withToken } from './cohesion.ts';
import { openPact } from './pact.ts';
import { exampleToken, expectRefusal, fromState, json, live, success, textFromState } from './shapes.ts';

const { equal, integer, reify, string } = MatchersV3;

const pact = openPact({ consumer: 'funder', provider: 'cohesion', interactions: 25 });
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
/** Every field differs from that of the state's financing. */
const changed: Financing = {
  ...granted,
  exercice: 2025,
  bailleur: 'Union européenne',
  intitule: 'Formation des médiateurs',
  montant: 12_500_000,
};
const twoDigitYear: Financing = { ...financing, exercice: 26 };

/** Returns a financing for the structure that a state returned under this name. */
const bodyOf = (sent: Financing, name: string) => ({ ...sent, structure_id: fromState(name, sent.structure_id) });

const creating = { method: 'POST', path: '/api/v1/financements', headers: withToken } as const;
const updating = { method: 'PUT', headers: withToken } as const;
const aFinancing = ['a financing'] as const;
const itsId = 12;
const itsPath = textFromState('/api/v1/financements/', 'financing_id', itsId);

/** The fields of a reply, as they were sent. The provider's state chooses the structure. */
const asSent = ({ structure_id, ...sent }: Financing) => ({
  structure_id: integer(structure_id),
  ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, equal(value)])),
});
const stored = (sent: Financing) => ({ ...asSent(sent), id: integer(itsId), devise: string('XOF') });
const sentFields = [
  'cohesion/financing-year',
  'cohesion/financing-funder',
  'cohesion/financing-type',
  'cohesion/financing-title',
  'cohesion/financing-amount',
  'cohesion/financing-status',
];

/** The document does not show the reply to an update. */
const updateShown = {
  'cohesion.financing-update-response': 'the reply is the updated financing',
  'cohesion.financing-update-status': 'a status with a body',
};

const anotherYear = { 'cohesion.financing-bounds': 'the year is neither the current one nor one with an open plan' };

const served = ['cohesion/base-path', 'cohesion/json', 'cohesion/utf-8', 'cohesion/no-caching'];

describe('a financing', () => {
  test('is created', () =>
    ask(pact, {
      ...creating,
      description: 'a new financing',
      states: [anAccessToken],
      holding: [
        'cohesion/create-financing',
        'cohesion/financing-id',
        'cohesion/financing-structure',
        'cohesion/financing-currency',
        ...sentFields,
        ...served,
      ],
      body: bodyOf(financing, 'structure_id'),
    })
      .willRespondWith(success(201), (reply) => live(reply).jsonBody({ data: stored(financing) }))
      .executeTest(async ({ url }) => expect(await funder(url).create(financing)).toEqual(reify(stored(financing)))));

  test('is created with the other status and other values', () =>
    ask(pact, {
      ...creating,
      description: 'a new financing that is already granted',
      states: [anAccessToken],
      gaps: anotherYear,
      holding: ['cohesion/create-financing', ...sentFields],
      body: bodyOf(changed, 'structure_id'),
    })
      .willRespondWith(success(201), (reply) => json(reply).jsonBody({ data: stored(changed) }))
      .executeTest(async ({ url }) => expect(await funder(url).create(changed)).toEqual(reify(stored(changed)))));

  // The reply may have no body, so its type is not checked.
  test('is updated', () =>
    ask(pact, {
      ...updating,
      path: itsPath,
      description: 'a financing that was granted',
      states: [anAccessToken, aFinancing],
      holding: ['cohesion/update-financing', 'cohesion/base-path'],
      body: bodyOf(granted, 'structure_id'),
    })
      .willRespondWith(success(200))
      .executeTest(({ url }) => funder(url).update(itsId, granted)));

  test('is updated to the status that is sent', () =>
    ask(pact, {
      ...updating,
      path: itsPath,
      description: 'a financing that was granted, and its status afterwards',
      states: [anAccessToken, aFinancing],
      gaps: updateShown,
      holding: ['cohesion/status-given', ...served],
      body: bodyOf(granted, 'structure_id'),
    })
      .willRespondWith(success(200), (reply) => live(reply).jsonBody({ data: { statut: equal('obtenu') } }))
      .executeTest(async ({ url }) => expect(await funder(url).updated(itsId, granted)).toEqual({ statut: 'obtenu' })));

  test('is updated in all fields that are sent', () =>
    ask(pact, {
      ...updating,
      path: itsPath,
      description: 'a financing of which every field changes',
      states: [anAccessToken, aFinancing],
      gaps: { ...updateShown, ...anotherYear },
      holding: ['cohesion/update-financing', 'cohesion/status-given'],
      body: bodyOf(changed, 'structure_id'),
    })
      .willRespondWith(success(200), (reply) => json(reply).jsonBody({ data: asSent(changed) }))
      .executeTest(async ({ url }) => expect(await funder(url).updated(itsId, changed)).toEqual(changed)));

  test('is not created for a year that is not YYYY', () =>
    ask(pact, {
      ...creating,
      description: 'a new financing of a year that is not YYYY',
      states: [anAccessToken],
      holding: ['cohesion/financing-year', 'cohesion/status-422'],
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
      holding: ['cohesion/status-422'],
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
      holding: ['cohesion/status-404'],
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
      holding: ['cohesion/perimeter-target', 'cohesion/status-403'],
      body: bodyOf(granted, 'structure_id'),
    })
      .willRespondWith(403, json)
      .executeTest(({ url }) => expectRefusal(funder(url).update(itsId, granted), 403)));

  // A reply cannot be compared with an id that a state chose. So this shows that an update stored the sent structure.
  test('that an update moved outside the perimeter is not updated', () =>
    ask(pact, {
      ...updating,
      path: itsPath,
      description: 'an update of a financing that was moved outside the perimeter',
      states: [anAccessToken, ['a financing outside the perimeter', { moved: true }]],
      holding: ['cohesion/update-financing', 'cohesion/perimeter-target'],
      body: bodyOf(granted, 'structure_id'),
    })
      .willRespondWith(403, json)
      .executeTest(({ url }) => expectRefusal(funder(url).update(itsId, granted), 403)));
});

interface BothRefused {
  reason: Refused;
  /** The name of the state's value for the sent structure, if it returns one. */
  structure?: string;
  /** The documented behaviours of one operation. */
  ofCreate?: string[];
  ofUpdate?: string[];
}

const reasons: BothRefused[] = [
  { reason: missing },
  { reason: unknown },
  { reason: expired },
  { reason: inactive, structure: 'structure_id' },
  {
    reason: lacking('write:financements'),
    structure: 'structure_id',
    ofCreate: ['cohesion/ability-create'],
    ofUpdate: ['cohesion/ability-update'],
  },
  {
    reason: outside,
    structure: 'other_structure_id',
    ofCreate: ['cohesion/perimeter-create'],
    ofUpdate: ['cohesion/perimeter-sent'],
  },
  { reason: limited, structure: 'structure_id' },
];

describe.each(reasons)('$reason.how', ({ reason, structure, ofCreate = [], ofUpdate = [] }) => {
  const { how, states = [], token, status, gaps = {}, holding = [] } = reason;
  const body = structure ? bodyOf(financing, structure) : financing;
  const headers = authorizedBy(reason, withToken);

  test('a financing is not created', () =>
    ask(pact, {
      ...creating,
      headers,
      description: `a new financing ${how}`,
      states,
      gaps,
      holding: [...holding, ...ofCreate],
      body,
    })
      .willRespondWith(status, json)
      .executeTest(({ url }) => expectRefusal(new Funder(url, token).create(financing), status)));

  // Without a perimeter no financing is accessible, so any id gets the same refusal.
  const target = structure
    ? { path: itsPath, states: [...states, aFinancing] }
    : { path: `/api/v1/financements/${itsId}`, states };

  test('a financing is not updated', () =>
    ask(pact, {
      ...updating,
      ...target,
      headers,
      description: `an update ${how}`,
      gaps,
      holding: [...holding, ...ofUpdate],
      body,
    })
      .willRespondWith(status, json)
      .executeTest(({ url }) => expectRefusal(new Funder(url, token).update(itsId, financing), status)));
});

test('reads are not limited with writes', () =>
  ask(pact, {
    method: 'GET',
    path: '/api/v1/me',
    headers: withToken,
    description: 'the current user over the write limit',
    ...(limited.states && { states: limited.states }),
    holding: ['cohesion/write-throttle-dedicated'],
  })
    .willRespondWith(success(200), json)
    .executeTest(({ url }) => funder(url).isKnown()));

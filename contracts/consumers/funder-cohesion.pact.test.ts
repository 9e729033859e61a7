import { MatchersV3 } from '@pact-foundation/pact';
import { test } from 'vitest';
import { ask, type Exchange, exchangeOn, type Refused, refusedFor } from './ask.ts';
import { type Financing, Funder } from './clients/funder.ts';
import { anAccessToken, expired, inactive, lacking, limited, missing, outside, unknown, withToken } from './cohesion.ts';
import { openPact } from './pact.ts';
import { exampleToken, fromState, success, textFromState } from './shapes.ts';

const { equal, integer, string } = MatchersV3;

const pact = openPact({ consumer: 'funder', provider: 'cohesion', interactions: 25 });
const exchange = exchangeOn(pact, (root, token) => new Funder(root, token));

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
const bodyOf = (sent: Financing, name = 'structure_id') => ({ ...sent, structure_id: fromState(name, sent.structure_id) });

const aFinancing = ['a financing'] as const;
const itsId = 12;

const creating = (sent: Financing) => ({
  method: 'POST' as const,
  path: '/api/v1/financements',
  headers: withToken,
  states: [anAccessToken],
  body: bodyOf(sent),
  call: (client: Funder) => client.create(sent),
});

const updating = (sent: Financing, id = itsId) => ({
  method: 'PUT' as const,
  path: textFromState('/api/v1/financements/', 'financing_id', id),
  headers: withToken,
  states: [anAccessToken, aFinancing],
  body: bodyOf(sent),
  call: (client: Funder) => client.update(id, sent),
});

/** The fields of a reply, as they were sent. The provider's state chooses the structure. */
const asSent = ({ structure_id, ...sent }: Financing) => ({
  structure_id: integer(structure_id),
  ...Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, equal(value)])),
});
const created = (sent: Financing) => ({
  ...creating(sent),
  status: success(201),
  shown: { data: { ...asSent(sent), id: integer(itsId), devise: string('XOF') } },
  call: async (client: Funder) => ({ data: await client.create(sent) }),
});
const updated = (sent: Financing, shown: object) => ({
  ...updating(sent),
  shown: { data: shown },
  call: async (client: Funder) => ({ data: await client.updated(itsId, sent) }),
});
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

test.each<Exchange<Funder>>([
  {
    ...created(financing),
    description: 'a new financing',
    holding: [
      'cohesion/create-financing',
      'cohesion/financing-id',
      'cohesion/financing-structure',
      'cohesion/financing-currency',
      ...sentFields,
      ...served,
    ],
  },
  {
    ...created(changed),
    description: 'a new financing that is already granted',
    gaps: anotherYear,
    holding: ['cohesion/create-financing', ...sentFields],
  },
  {
    ...updated(granted, { statut: equal('obtenu') }),
    description: 'a financing that was granted, and its status afterwards',
    gaps: updateShown,
    holding: ['cohesion/status-given', ...served],
  },
  {
    ...updated(changed, asSent(changed)),
    description: 'a financing of which every field changes',
    gaps: { ...updateShown, ...anotherYear },
    holding: ['cohesion/update-financing', 'cohesion/status-given'],
  },
  {
    method: 'GET',
    path: '/api/v1/me',
    headers: withToken,
    description: 'the current user over the write limit',
    ...(limited.states && { states: limited.states }),
    holding: ['cohesion/write-throttle-dedicated'],
    call: (client) => client.isKnown(),
  },
])('$description is accepted', exchange);

// The reply may have no body, so its type is not checked.
test('a financing is updated', () => {
  const { call: _, ...asked } = updating(granted);
  return ask(pact, {
    ...asked,
    description: 'a financing that was granted',
    holding: ['cohesion/update-financing', 'cohesion/base-path'],
  })
    .willRespondWith(success(200))
    .executeTest(({ url }) => new Funder(url, exampleToken).update(itsId, granted));
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

const refusals = reasons.flatMap(({ reason, structure, ofCreate = [], ofUpdate = [] }) => {
  const body = structure ? bodyOf(financing, structure) : financing;
  // Without a perimeter no financing is accessible, so any id gets the same refusal.
  const target = structure ? { states: [aFinancing] } : { path: `/api/v1/financements/${itsId}`, states: [] };
  const because = (holding: string[]) => ({ ...reason, holding: [...(reason.holding ?? []), ...holding] });
  return [
    refusedFor(because(ofCreate), { ...creating(financing), name: 'a new financing', states: [], body }),
    refusedFor(because(ofUpdate), { ...updating(financing), ...target, name: 'an update', body }),
  ];
});

test.each<Exchange<Funder>>([
  {
    ...creating(twoDigitYear),
    description: 'a new financing of a year that is not YYYY',
    holding: ['cohesion/financing-year', 'cohesion/status-422'],
    status: 422,
  },
  {
    ...updating(twoDigitYear),
    description: 'an update to a year that is not YYYY',
    holding: ['cohesion/status-422'],
    status: 422,
  },
  {
    ...updating(granted, 999_999),
    description: 'an update of an unknown financing',
    states: [anAccessToken, ['no financing', { financing_id: 999_999 }]],
    holding: ['cohesion/status-404'],
    status: 404,
  },
  {
    ...updating(granted),
    description: 'an update of a financing outside the perimeter',
    states: [anAccessToken, ['a financing outside the perimeter']],
    holding: ['cohesion/perimeter-target', 'cohesion/status-403'],
    status: 403,
  },
  // A reply cannot be compared with an id that a state chose. So this shows that an update stored the sent structure.
  {
    ...updating(granted),
    description: 'an update of a financing that was moved outside the perimeter',
    states: [anAccessToken, ['a financing outside the perimeter', { moved: true }]],
    holding: ['cohesion/update-financing', 'cohesion/perimeter-target'],
    status: 403,
  },
  ...refusals,
])('$description is refused', exchange);

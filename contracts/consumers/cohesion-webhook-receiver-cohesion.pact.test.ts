import { MatchersV3 } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import { type InterventionValidated, isValidation } from './clients/webhooks.ts';
import { expectMessage } from './messages.ts';
import { openPact } from './pact.ts';
import { validation } from './shapes.ts';

const pact = openPact({ consumer: 'cohesion-webhook-receiver', provider: 'cohesion', interactions: 6 });

const { equal, reify } = MatchersV3;

/** The state's intervention. */
const validated = { reference: 'PAIX-2026-7', intitule: 'Médiation scolaire', region: 'Poro' };
const shown = Object.fromEntries(Object.entries(validated).map(([name, value]) => [name, equal(value)]));
const content = { ...validation, data: { ...validation.data, ...shown } };

const signedAs = ['cohesion/signature-form', 'cohesion/signature-body'];

test('intervention.validated is handled with all that the document shows', async () => {
  const handled: InterventionValidated[] = [];
  await expectMessage(
    pact,
    {
      event: 'intervention.validated',
      state: ['an intervention was validated', validated],
      gaps: {},
      holding: [
        'cohesion/intervention-validated',
        'cohesion/validation',
        'cohesion/validated-event',
        'cohesion/validated-delivered-at',
        'cohesion/validated-intervention',
        'cohesion/validated-reference',
        'cohesion/validated-title',
        'cohesion/validated-structure',
        'cohesion/validated-region',
        'cohesion/validated-by-id',
        'cohesion/validated-by-name',
        ...signedAs,
      ],
      content,
    },
    (event) => {
      if (isValidation(event)) handled.push(event);
    },
  );
  expect(handled).toEqual([reify({ event: 'intervention.validated', ...content })]);
});

const gaps = { 'cohesion.webhook-envelope': 'the name in the field event' };

test.each([
  { event: 'intervention.terminated', state: 'an intervention was terminated', holds: 'cohesion/intervention-terminated' },
  { event: 'intervention.suspended', state: 'an intervention was suspended', holds: 'cohesion/intervention-suspended' },
  { event: 'indicator.alert', state: 'an indicator crossed its alert threshold', holds: 'cohesion/indicator-alert' },
  { event: 'plan.closed', state: 'an annual plan was closed', holds: 'cohesion/plan-closed' },
  { event: 'rapport.ready', state: 'a report is ready', holds: 'cohesion/rapport-ready' },
])('$event is handled', ({ event, state, holds }) =>
  expectMessage(pact, { event, state: [state], gaps, holding: [holds, ...signedAs] }),
);

import { MatchersV3 } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import { type InterventionValidated, isValidation } from './clients/webhooks.ts';
import { expectMessage } from './messages.ts';
import { openPact } from './pact.ts';
import { validation } from './shapes.ts';

const pact = openPact({ consumer: 'cohesion-webhook-receiver', provider: 'cohesion', interactions: 6 });

test('intervention.validated is handled with all that the document shows', async () => {
  const handled: InterventionValidated[] = [];
  await expectMessage(
    pact,
    { event: 'intervention.validated', state: 'an intervention was validated', gaps: {}, content: validation },
    (event) => {
      if (isValidation(event)) handled.push(event);
    },
  );
  expect(handled).toEqual([MatchersV3.reify({ event: 'intervention.validated', ...validation })]);
});

const gaps = { 'cohesion.webhook-envelope': 'the name in the field event' };

test.each([
  { event: 'intervention.terminated', state: 'an intervention was terminated' },
  { event: 'intervention.suspended', state: 'an intervention was suspended' },
  { event: 'indicator.alert', state: 'an indicator crossed its alert threshold' },
  { event: 'plan.closed', state: 'an annual plan was closed' },
  { event: 'rapport.ready', state: 'a report is ready' },
])('$event is handled', (one) => expectMessage(pact, { ...one, gaps }));

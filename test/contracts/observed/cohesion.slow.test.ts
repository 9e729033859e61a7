import { testAlternatives } from './alternative-tests.ts';
import { askCohesion } from './dashboard-suite.ts';
import { sendTo } from './making.ts';

testAlternatives('cohesion', {
  makeCalls: (url, { credentials }) => askCohesion(sendTo(url), credentials.token),
  unseen: [
    // A 422 for a body in plain text is explained by both.
    'cohesion.accept-header=422',
    // recognisers.test.ts has them.
    ...['cohesion.read-throttle', 'cohesion.transport-statuses', 'cohesion.intervention-statuses'],
    // Without its headers, a limit shows only when it is exceeded.
    'cohesion.throttle-exceeded=503',
    // No recogniser looks for texts that an update has emptied.
    'cohesion.financing-update-required=emptied',
    // The demo data have no indicator without a target.
    'cohesion.attainment-rate=null-without-target',
    // The perimeter of the token is a list of structures, and under each choice another structure is answered with 403.
    'cohesion.unknown-structure',
  ],
});

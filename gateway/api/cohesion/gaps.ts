import type { SharedGaps } from '../../http/openapi-gaps.ts';

/** What the document leaves open about more than one operation or event. */
export const cohesionGaps: SharedGaps = {
  operations: {
    'every operation': [
      'cohesion.check-order',
      'cohesion.unknown-method',
      'cohesion.accept-header',
      'cohesion.reply-charset',
      'cohesion.cache-control',
      'cohesion.www-authenticate',
      'cohesion.plain-http',
      'cohesion.versioning',
    ],
    'needs a token': ['cohesion.token-format', 'cohesion.token-lifetime', 'cohesion.token-last-used', 'cohesion.user-roles'],
    'has a body': ['cohesion.malformed-json', 'cohesion.body-size'],
    reads: ['cohesion.strict-queries', 'cohesion.read-throttle'],
  },
  events: [
    'cohesion.webhook-configuration',
    'cohesion.user-perimeter',
    'cohesion.webhook-secret',
    'cohesion.webhook-standard-headers',
    'cohesion.signature-hex',
    'cohesion.webhook-timeouts',
    'cohesion.webhook-retries',
    'cohesion.event-order',
    'cohesion.timestamps',
    'cohesion.delivered-at',
  ],
};

import type { SharedGaps } from '../../http/openapi-gaps.ts';

/** What the document leaves open about more than one operation or event. */
export const posGaps: SharedGaps = {
  operations: {
    'every operation': [
      'pos.error-conditions',
      'pos.check-order',
      'pos.unknown-method',
      'pos.limit-exceeded',
      'pos.transport-statuses',
      'pos.accept-header',
      'pos.reply-charset',
      'pos.cache-control',
      'pos.www-authenticate',
      'pos.plain-http',
      'pos.versioning',
    ],
    'needs a token': [
      'pos.success-envelope',
      'pos.token-endpoints',
      'pos.token-transport',
      'pos.token-format',
      'pos.token-lifetime',
      'pos.new-token',
      'pos.revocation',
      'pos.plan-scope',
    ],
    'has a body': ['pos.body-size'],
  },
  events: [
    'pos.webhook-subscription',
    'pos.webhook-target',
    'pos.webhook-signing',
    'pos.signature-hex',
    'pos.webhook-retries',
    'pos.event-order',
    'pos.timestamps',
  ],
};

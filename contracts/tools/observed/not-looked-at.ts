/** The entries of the register that no recogniser looks at, by the reason, which is a sentence. */
const groups: readonly [because: string, gaps: string][] = [
  [
    'It is set up outside of this API, and a webhook is the same either way.',
    `pos.webhook-subscription pos.webhook-target cohesion.webhook-configuration cohesion.user-perimeter`,
  ],
  [
    'It is about what happens inside the service before it sends the event, and the event is the same either way.',
    `pos.sync-completed-condition cohesion.plan-closed-condition cohesion.rapport-ready-condition`,
  ],
  ['A webhook names a user, and not how the service knows who it was.', 'cohesion.validated-by'],
  [
    'It happens outside of this API.',
    `pos.back-office pos.revocation cohesion.back-office cohesion.token-creation cohesion.intervention-transitions
    cohesion.validation-source`,
  ],
  ['A service may name the charset in one reply and leave it out in the next.', 'pos.reply-charset cohesion.reply-charset'],
  ['Calls are forwarded to one address over one scheme.', 'pos.plain-http cohesion.plain-http'],
  ['A service has one version, so no call asks for another.', 'pos.versioning cohesion.versioning'],
  [
    'It shows only in how many calls are allowed in which time.',
    'pos.plan-scope pos.token-guard cohesion.read-throttle cohesion.write-throttle-scope',
  ],
  ['It shows only after a time that no run lasts.', 'cohesion.token-lifetime cohesion.current-year'],
  [
    'It needs a token or a record of someone else, and nothing in a reply says whose they are.',
    'pos.store-access cohesion.perimeter cohesion.unknown-structure cohesion.me-ability',
  ],
  [
    'It needs the data behind a reply, which no other call shows.',
    `pos.report-sales cohesion.search cohesion.indicator-without-value cohesion.intervention-statuses cohesion.token-last-used`,
  ],
  [
    'Other choices explain the same replies.',
    'pos.check-order cohesion.check-order cohesion.transport-statuses cohesion.body-size',
  ],
];

/** Why observe does not look at an entry, by its id. */
export const notLookedAt: ReadonlyMap<string, string> = new Map(
  groups.flatMap(([because, gaps]) => gaps.split(/\s+/).map((gap) => [gap, because] as const)),
);

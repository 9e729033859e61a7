/** The entries of the register that no recogniser looks at, by the reason, which is a sentence. */
const groups: readonly [because: string, gaps: string][] = [
  [
    'It is set up outside of this API, and a webhook is the same either way.',
    `pos.webhook-subscription pos.webhook-target cohesion.webhook-configuration cohesion.user-perimeter`,
  ],
  [
    'It is about what happens inside the service before it sends the event, and the event is the same either way.',
    'pos.sync-completed-condition cohesion.rapport-ready-condition',
  ],
  ['A webhook names a user, and not how the service knows who it was.', 'cohesion.validated-by'],
  [
    'It happens outside of this API.',
    `pos.back-office pos.revocation cohesion.back-office cohesion.token-creation cohesion.intervention-transitions
    cohesion.validation-source`,
  ],
  ['The documents allow both in every reply, as they allow each harmless change.', 'pos.reply-charset cohesion.reply-charset'],
  ['Calls are forwarded to one address over one scheme.', 'pos.plain-http cohesion.plain-http'],
  ['A service has one version, so no call asks for another.', 'pos.versioning cohesion.versioning'],
  ['It differs only in which call of an account is the first over its limit.', 'pos.plan-scope'],
  ['It shows only after a time that no run lasts.', 'cohesion.token-lifetime cohesion.current-year'],
  ['It needs records of others, and nothing in a reply says whose they are.', 'cohesion.perimeter'],
  ['Others sell in the same stores, so no report can be added up from the calls of one partner.', 'pos.report-sales'],
  ['An indicator with the value 0 looks like one that has no value yet.', 'cohesion.indicator-without-value'],
];

/** Why observe does not look at an entry, by its id. */
export const notLookedAt: ReadonlyMap<string, string> = new Map(
  groups.flatMap(([because, gaps]) => gaps.split(/\s+/).map((gap) => [gap, because] as const)),
);

/**
 * Why a stub does not play an alternative, by `GAP=ALTERNATIVE`. Some are outside of what a client can observe; others are not
 * built. Each has one sentence, which `--assume` shows.
 */
export const notPlayed: Readonly<Record<string, string>> = {
  'pos.back-office=in-this-api': 'No client can call operations whose paths and bodies no document shows.',
  'pos.auth-path=below-base-only':
    'The document shows the token operation under the path /api/auth, and a stub that answers 404 there would contradict it.',
  'pos.versioning=header-or-date': 'There is one version, so a client that asks for one gets the same as a client that does not.',
  'pos.sync-completed-condition=offline-sales':
    'What is synchronized happens outside this API, and the event says only when it was and how much changed.',
  'pos.sync-completed-condition=catalogue-copy':
    'What is synchronized happens outside this API, and the event says only when it was and how much changed.',
  'pos.webhook-subscription=dashboard':
    'The document shows no operation that subscribes, so a client cannot, and a receiver gets the same webhooks.',
  'pos.webhook-subscription=one-per-account':
    'The document shows no operation that subscribes, so a client cannot, and a receiver gets the same webhooks.',
  'pos.webhook-target=any-url': 'Which URLs are taken shows only to who subscribes, for which the document shows no operation.',
  'cohesion.validation-source=termine-only': 'It is what an operator does outside this API; the event is the same.',
  'cohesion.validation-source=own-state': 'It is what an operator does outside this API; the event is the same.',
  'cohesion.intervention-transitions=terminate-approuve': 'It is what an operator does outside this API; the event is the same.',
  'cohesion.intervention-transitions=back-to-brouillon':
    'It is what an operator does outside this API, and drafts are not listed.',
  'cohesion.back-office=in-this-api': 'No client can call operations whose paths and bodies nobody knows.',
  'cohesion.token-lifetime=fixed':
    'A token of the stub is new at its start and would not expire during a test; the fault token_expired does the same at once.',
  'cohesion.perimeter=of-user': 'The perimeter of a token shows in 403 only, which is the same whatever it is made from.',
  'cohesion.perimeter=reads-too': 'The stub’s lists are prepared for all tokens, so it cannot narrow them to one.',
  'cohesion.user-perimeter=every-event': 'It is what a user sets up in the profile, outside this API.',
  'cohesion.user-perimeter=other-roles': 'It is what a user sets up in the profile, outside this API.',
  'cohesion.me-ability=any-ability': 'A token has at least one ability, so no client can observe it.',
  'cohesion.token-format=random': 'A client gets its token as a text to send back, and no reply shows another.',
  'cohesion.token-format=jwt': 'A client gets its token as a text to send back, and no reply shows another.',
  'cohesion.token-creation=any-token': 'It is what a user does in the profile, outside this API.',
  'cohesion.token-creation=operator-only': 'It is what a user does in the profile, outside this API.',
  'cohesion.token-last-used=successful-only': '/me shows the time of its own call, which succeeded.',
  'cohesion.read-throttle=60-per-minute':
    'A client meets it only after 60 reads in a minute; a fault with status 429 does the same at once.',
  'cohesion.write-throttle-scope=per-user':
    'The stub gives tokens of one user for one address, so the counts differ only between tokens.',
  'cohesion.write-throttle-scope=per-method':
    'A client meets it only after 30 writes in a minute; a fault with status 429 does the same at once.',
  'cohesion.write-throttle-scope=sliding': 'It differs only in when the next write is allowed, and Retry-After says so in both.',
  'cohesion.body-size=unlimited':
    'The texts of a valid financing fit into the limit, so only a call that is refused anyway could show it.',
  'cohesion.versioning=header-or-date': 'There is one version, so no client can ask for another.',
  'cohesion.rapport-ready-condition=by-period': 'It is what happens outside this API; the event is the same.',
  'cohesion.rapport-ready-condition=on-demand': 'It is what happens outside this API; the event is the same.',
  'cohesion.plan-closed-condition=end-of-year': 'It is what happens outside this API; the event is the same.',
  'cohesion.webhook-timeouts=5-s':
    'It differs only for a receiver that takes longer, to which the stub already shows a retry after 15 s.',
  'cohesion.webhook-timeouts=30-s':
    'It differs only for a receiver that takes longer, to which the stub already shows a retry after 15 s.',
  'cohesion.webhook-configuration=every-event': 'It is what a user sets up in the profile, outside this API.',
  'cohesion.webhook-configuration=at-once': 'It is what a user sets up in the profile, outside this API.',
  'cohesion.webhook-configuration=any-token': 'It is what a user sets up in the profile, outside this API.',
  'cohesion.delivered-at=attempt': 'The body of an event is fixed when it is stored, so that every attempt sends the same bytes.',
  'cohesion.validated-by=token-user': 'An operator validates outside this API, with no token whose user the event could name.',
  'cohesion.intervention-terminated-payload=terminated-by':
    'An operator terminates outside this API, so there is no user that the event could name.',
  'cohesion.intervention-suspended-payload=suspended-by':
    'An operator suspends outside this API, so there is no user or reason that the event could name.',
  'cohesion.token-last-used=call-before':
    'The stub keeps only the time of the last call of a token, which is the call to /me itself.',
  'cohesion.stats-fields=one-currency': 'The document shows no rates at which the stub could convert the other currencies.',
  'cohesion.financing-update-required=emptied':
    'Most fields of a stored financing cannot be empty, so the stub would say so and keep them.',
  'cohesion.unknown-structure=422':
    'Rule 1 of the document says 403 for any structure outside the perimeter, and an unknown one lies outside.',
  'cohesion.unknown-structure=404':
    'Rule 1 of the document says 403 for any structure outside the perimeter, and an unknown one lies outside.',
  'cohesion.intervention-statuses=further':
    'The filters and the statistics of the stub know its own statuses, and would disagree with the rows.',
  'cohesion.user-roles=narrows-abilities': 'The document shows no role that could narrow the abilities of a token.',
  'cohesion.indicator-alert-condition=per-indicator':
    'No indicator of the stub has thresholds of its own, and /stats would count others than the rows show.',
  'cohesion.indicator-alert-condition=rising':
    'The document shows no thresholds over the year, and /stats would count others than the rows show.',
  'cohesion.indicator-alert-payload=state-before':
    'The event does not keep the state before it, so the stub would have to invent it.',
  'cohesion.plan-closed-payload=plan-id': 'The event names its plan by the year, and the stub would have to invent the rest.',
  'cohesion.plan-closed-payload=figures': 'The stub would have to invent the figures of the plan.',
  'cohesion.rapport-ready-payload=url': 'The stub serves no report under an address of its own.',
  'cohesion.rapport-ready-payload=report': 'The stub would have to invent the figures of the report.',
  'pos.plain-http=redirect':
    'A stub is reached over plain http only, so a stub that did not answer there would answer no call at all.',
  'pos.plain-http=no-answer':
    'A stub is reached over plain http only, so a stub that did not answer there would answer no call at all.',
  'cohesion.plain-http=redirect': 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
  'cohesion.plain-http=no-answer': 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
  'cohesion.check-order=refused-uncounted':
    'A client meets it only after 30 writes in a minute, and Retry-After says when the next is allowed in both.',
};

/** True if `stub --assume` plays the alternative. */
export const isPlayed = (gap: string, alternative: string): boolean => !Object.hasOwn(notPlayed, `${gap}=${alternative}`);

/**
 * Why a stub does not play an alternative, by `GAP=ALTERNATIVE`. Some are outside of what a client can observe; others are not
 * built. Each has one sentence, which `--assume` shows.
 */
export const notPlayed: Readonly<Record<string, string>> = {
  'pos.payment-fields-required=reference-optional': 'A stored payment belongs to a sale, and the stub keeps none without one.',
  'pos.amount-bounds=negative-quantities': 'The stub stores no returned goods.',
  'pos.insufficient-stock=part-sold':
    'The reply to such a sale, whose total differs from the sent one, is a question of its own.',
  'pos.payment-reference=made-by-client':
    'A sale sends no reference, so the stub could not tell which sale such a payment belongs to.',
  'pos.sale-states=further':
    'No operation or event shows the state of a sale after its creation, so no client can observe another one.',
  'pos.stock-at-creation=reserved':
    'The document shows no time after which goods would be released, and a client sees the same stock until then.',
  'pos.back-office=in-this-api': 'No client can call operations whose paths and bodies nobody knows.',
  'pos.auth-path=below-base-only':
    'The document shows the token operation under /api/auth, so a client that follows it cannot meet this.',
  'pos.store-id-required=all-stores': 'No field of the reply says to which store an item belongs, so its shape is unknown.',
  'pos.store-access=every-store': 'Callers are bound to their stores before any alternative is asked.',
  'pos.idempotency-keys=by-content': 'The document shows neither how long nor by which fields two requests count as one.',
  'pos.token-endpoints=inventory-open':
    'A client with a token observes no difference, and one without has none of the account’s stores.',
  'pos.revocation=valid-until-expiry': 'A revocation is made in the profile or by an operator, outside this API.',
  'pos.limit-exceeded=delayed': 'The document does not show for how long, and a fault with a delay does the same.',
  'pos.body-size=1-mb': 'The stub reads no body over its own limit, so it cannot answer one.',
  'pos.body-size=unlimited': 'The stub reads no body over its own limit, so it cannot answer one.',
  'pos.plan-scope=per-key': 'It differs only for a client with several keys, and only in when the next call is allowed.',
  'pos.plan-scope=sliding': 'It differs only in when the next call is allowed, and Retry-After says so in both.',
  'pos.token-guard=none': 'Only a client that fails to sign in 60 times in a minute could observe it.',
  'pos.token-guard=every-attempt': 'Only a client that signs in 60 times in a minute could observe it.',
  'pos.versioning=header-or-date': 'There is one version, so no client can ask for another.',
  'pos.sync-completed-condition=offline-sales': 'It is what an operator does outside this API; the event is the same.',
  'pos.sync-completed-condition=catalogue-copy': 'It is what an operator does outside this API; the event is the same.',
  'pos.webhook-subscription=dashboard': 'It is what an operator does outside this API; the webhooks are the same.',
  'pos.webhook-subscription=one-per-account': 'It is what an operator does outside this API; the webhooks are the same.',
  'pos.webhook-target=any-url': 'A stub sends to every address on this machine, so nothing more could be allowed.',
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
  'cohesion.body-size=unlimited': 'The stub reads no body over its own limit, so it cannot answer one.',
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
  'pos.payment-methods=one-per-operator':
    'A sale is stored with one of the reference’s methods, so its event and the reports could not name the method that was sent.',
  'pos.payment-methods=further':
    'A sale is stored with one of the reference’s methods, so its event and the reports could not name the method that was sent.',
  'pos.report-response=single-sales': 'The stub builds its reports from totals of days, and would have to invent the sales.',
  'pos.report-sales=by-creation': 'The stub counts a sale on the day of its completion, and no list shows the pending ones.',
  'pos.report-sales=store-time-zone': 'No store has a time zone, and the region of the fixtures keeps UTC.',
  'pos.currency=smallest-unit':
    'Amounts are stored and checked in whole units, so refusals and bounds would be in the other unit.',
  'pos.repeated-products=merged': 'The document does not show what happens to lines of one product with different prices.',
  'pos.sale-states=completed-at-once':
    'The document does not show what such a sale has paid, or what a payment of it would change.',
  'pos.token-lifetime=24-hours': 'The tokens of a stub expire after an hour, so their replies would promise too much.',
  'cohesion.validated-by=token-user': 'An operator validates outside this API, with no token whose user the event could name.',
  'cohesion.intervention-terminated-payload=terminated-by':
    'An operator terminates outside this API, so there is no user that the event could name.',
  'cohesion.intervention-suspended-payload=suspended-by':
    'An operator suspends outside this API, so there is no user or reason that the event could name.',
  'cohesion.token-last-used=call-before':
    'The stub keeps only the time of the last call of a token, which is the call to /me itself.',
  'cohesion.stats-fields=by-region': 'The document does not show which figures a region would have.',
  'cohesion.stats-fields=one-currency': 'The document shows no rates at which the stub could convert the other currencies.',
  'cohesion.financing-update-required=emptied':
    'Most fields of a stored financing cannot be empty, so the stub would say so and keep them.',
  'cohesion.unknown-structure=422':
    'Rule 1 of the document says 403 for any structure outside the perimeter, and an unknown one lies outside.',
  'cohesion.unknown-structure=404':
    'Rule 1 of the document says 403 for any structure outside the perimeter, and an unknown one lies outside.',
  'cohesion.page-parameter=cursor': 'The document does not show where a reply would have its cursor.',
  'cohesion.structure-types=three-only':
    'The filters and the statistics of the stub know five types, and would disagree with the rows.',
  'cohesion.intervention-statuses=further':
    'The filters and the statistics of the stub know its own statuses, and would disagree with the rows.',
  'cohesion.list-order=newest-first': 'The stub’s pages are prepared in one order, so it could turn the rows of a page only.',
  'cohesion.list-order=by-name': 'The stub’s pages are prepared in one order, so it could sort the rows of a page only.',
  'cohesion.user-roles=narrows-abilities': 'The document shows no role that could narrow the abilities of a token.',
  'cohesion.search=whole-words':
    'The stub finds parts of words, so it could drop the other rows of a page only, and the total would be wrong.',
  'cohesion.search=exact-accents':
    'The stub’s search ignores accents, so it could drop the other rows of a page only, and the total would be wrong.',
  'cohesion.financing-types=any-text':
    'A financing is stored with one of the reference’s types, so a later reply would not name the type that was sent.',
  'cohesion.financing-types=kinds':
    'A financing is stored with one of the reference’s types, so a later reply would not name the type that was sent.',
  'cohesion.financing-statuses=further':
    'A financing is stored with one of the reference’s statuses, so /stats and later replies would disagree with the one that was sent.',
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
  'cohesion.indicator-detail=further': 'The stub would have to invent the further fields.',
  'cohesion.intervention-fields=structure-object':
    'The stub’s replies have only the id of a structure, and it would have to invent the rest.',
  'cohesion.intervention-fields=further': 'The stub would have to invent the further fields.',
  'cohesion.structure-fields=contacts': 'The stub would have to invent the addresses.',
};

/** True if `stub --assume` plays the alternative. */
export const isPlayed = (gap: string, alternative: string): boolean => !Object.hasOwn(notPlayed, `${gap}=${alternative}`);

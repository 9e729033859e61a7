/**
 * Why a stub does not play an alternative, by `GAP=ALTERNATIVE`. Some are outside of what a client can observe; others are not
 * built. Each has one sentence, which `--assume` shows.
 */
export const notPlayed: Readonly<Record<string, string>> = {
  'pos.payment-fields-required=reference-optional': 'A stored payment belongs to a sale, and the stub keeps none without one.',
  'pos.amount-bounds=negative-quantities': 'The stub stores no returned goods.',
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
  'pos.token-endpoints=inventory-open':
    'A client with a token observes no difference, and one without has none of the account’s stores.',
  'pos.revocation=valid-until-expiry': 'A revocation is made in the profile or by an operator, outside this API.',
  'pos.limit-exceeded=delayed': 'The document does not show for how long, and a fault with a delay does the same.',
  'pos.body-size=1-mb':
    'A valid sale has at most 200 lines and fits into the limit, so only a call that is refused anyway could show it.',
  'pos.body-size=unlimited':
    'A valid sale has at most 200 lines and fits into the limit, so only a call that is refused anyway could show it.',
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
  'cohesion.intervention-transitions=back-to-brouillon':
    'The move causes no event, and a draft is not listed, so a client only misses a row, as with any draft of its fixtures.',
  'cohesion.back-office=in-this-api': 'No client can call operations whose paths and bodies nobody knows.',
  'cohesion.user-perimeter=every-event': 'It is how a stub treats an endpoint without an owner, which gets every event.',
  'cohesion.user-perimeter=other-roles':
    'A test chooses the owner of its endpoint, and an admin gets these events while a lecteur does not.',
  'cohesion.me-ability=any-ability': 'A token holds at least one ability, so /me answers it in both.',
  'cohesion.token-creation=any-token':
    'A user makes tokens in the profile, outside this API, and a client sees only what its own token may do.',
  'cohesion.token-creation=operator-only': 'A client sees only what its token may do, and not who made it.',
  'cohesion.token-last-used=successful-only':
    '/me shows the time of its own call, which succeeds, and no other reply shows a call.',
  'cohesion.body-size=unlimited':
    'A valid financing has at most 4 KiB of text, so only blanks between its fields or a body that is refused anyway could be longer.',
  'cohesion.versioning=header-or-date': 'There is one version, so no client can ask for another.',
  'cohesion.rapport-ready-condition=on-demand':
    'A report is asked for outside this API, so no receiver can tell how long it took.',
  'cohesion.webhook-configuration=every-event': 'It is how a stub treats an endpoint without an owner, which gets every event.',
  'cohesion.webhook-configuration=at-once':
    'It is how a stub treats the endpoints of its options and of trigger, which count at once.',
  'cohesion.webhook-configuration=any-token':
    'A profile is signed in to outside this API, and the endpoints that come of it are the same.',
  'pos.plain-http=redirect': 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
  'pos.plain-http=no-answer': 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
  'cohesion.plain-http=redirect': 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
  'cohesion.plain-http=no-answer': 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
  'pos.check-order=refused-uncounted':
    'A client meets it only after 100 calls in a minute, and Retry-After says when the next is allowed in both.',
  'pos.event-order=in-order': 'It differs only for a receiver that has refused an event before, and each event is the same.',
  'pos.event-order=twice': 'A stub does it on demand: trigger --duplicate delivers an event again with the same webhook-id.',
  'cohesion.event-order=in-order': 'It differs only for a receiver that has refused an event before, and each event is the same.',
  'cohesion.event-order=twice': 'A stub does it on demand: trigger --duplicate delivers an event again with the same webhook-id.',
};

/** True if `stub --assume` plays the alternative. */
export const isPlayed = (gap: string, alternative: string): boolean => !Object.hasOwn(notPlayed, `${gap}=${alternative}`);

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
  'pos.plain-http=redirect':
    'A stub is reached over plain http only, so a stub that did not answer there would answer no call at all.',
  'pos.plain-http=no-answer':
    'A stub is reached over plain http only, so a stub that did not answer there would answer no call at all.',
  'cohesion.plain-http=redirect': 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
  'cohesion.plain-http=no-answer': 'A stub is itself reached over plain http, so it cannot show what another port would answer.',
};

/** True if `stub --assume` plays the alternative. */
export const isPlayed = (gap: string, alternative: string): boolean => !Object.hasOwn(notPlayed, `${gap}=${alternative}`);

import type { RefusalKind } from '../../gateway/base/errors.ts';

/**
 * When the management and the profile API answer with each `code`, by the kind of the refusal, which determines the status. An invalid value
 * (400) that no schema can refuse has the rule that it breaks as its code, such as `url_not_public`.
 */
export const refusalCodes: Partial<Record<RefusalKind, Readonly<Record<string, string>>>> = {
  invalid: {
    invalid_request:
      'The body, a field or a parameter is missing, unknown or has a wrong value. `details` has each with the rule that it breaks.',
    malformed_request: 'The body is not valid JSON, or its headers contradict it.',
    empty_body: 'The body is empty.',
    invalid_content_length: 'The length of the body differs from `Content-Length`.',
    invalid: 'The data of an event does not match the schema of its type.',
  },
  unauthorized: {
    token_missing: 'There is no Authorization header.',
    wrong_scheme: 'The Authorization header does not begin with `Bearer`.',
    invalid_token: 'The token is neither the operator token nor the credential of an active operator.',
    wrong_credential: 'No active operator has the credential that was given to sign in.',
    session_expired: 'The session of the page is over. Sign in again.',
    token_malformed: 'The token is neither one of the point of sale nor an access token of social cohesion.',
    owner_inactive: 'The partner of the link was deactivated.',
    link_unknown: 'No link to the profile has this secret.',
    link_used: 'The link to the profile was used. It can be used once.',
    link_expired: 'The link to the profile is too old.',
  },
  forbidden: {
    viewer_cannot_change: 'An operator with the role viewer made a call that changes something.',
    forged_request:
      'A page of another site made the call, or a change with a session cookie lacks the header that pages send with it.',
    other_partner: 'The header `x-passerelle-profile` names another partner than the one that is signed in.',
    other_service: 'The call exists for partners of the other API.',
    read_only_session: 'The session began with a link that may only read.',
    secret_needed: 'API keys change only after a sign-in with a key and its secret.',
    stronger_token: 'The access token may do more than the one with which the caller signed in.',
    abilities_missing: 'The access token lacks an ability. Webhooks need all that read, because they tell of everything.',
    outside_perimeter: 'The access token would reach structures that the caller does not.',
  },
  not_found: {
    not_found: 'It does not exist, or belongs to somebody else.',
    unknown_operation: 'No operation has this path and method.',
  },
  conflict: {
    address_known: 'An address is confirmed already.',
    address_refused: 'The mail server takes no messages to this address.',
    already_exists: 'Another one has this name.',
    already_verified: 'The endpoint is verified already.',
    code_ended: 'The code of an address has expired, or was tried too often.',
    confirm_needed: 'The key is the last one, or the one with which you signed in. Confirm that it should be revoked.',
    events_removed: 'The cursor is older than the events that are kept.',
    illegal_move: 'The state does not allow it. `details` has what it allows.',
    indicator_inactive: 'The indicator is not active.',
    key_ended: 'The API key was revoked or replaced, so it cannot be rotated.',
    no_address: 'No address for alerts is set.',
    no_mail_server: 'The gateway has no mail server.',
    not_kept: 'What it refers to is not kept any longer.',
    not_pending: 'The payment is settled already.',
    own_operator: 'Operators cannot deactivate or demote themselves.',
    owner_inactive: 'The partner is not active.',
    too_many_channels: 'There are as many channels as there may be.',
    too_many_endpoints: 'There are as many endpoints as there may be.',
    too_many_keys: 'There are as many API keys as there may be.',
    too_many_recoveries: 'As many recoveries run or are paused as may be at once.',
    too_many_tokens: 'There are as many access tokens as there may be.',
  },
  too_large: { body_too_large: 'The body is larger than the gateway accepts.' },
  media_type: { unsupported_media_type: 'The body has another type than JSON.' },
  limited: {
    rate_limited: 'A limit of calls is reached. `Retry-After` says when it is over.',
    too_many_waiting: 'Several calls with these credentials wait for events.',
  },
  unavailable: {
    overloaded: 'More calls arrive than the gateway can handle. Nothing was done.',
    query_timeout: 'A query takes too long. Ask for less, such as a shorter period. Nothing was done.',
    unavailable: 'The gateway cannot reach its database. Nothing was done.',
  },
  internal: { internal_error: 'The gateway failed. Its log has the cause under the id of the request.' },
};

import { overloaded } from '../../../gateway/http/call-queue.ts';
import { StoreTooSlow, StoreUnavailable } from '../../../gateway/store/port.ts';
import { type Cause, everywhere, headers, reply, request } from './cause.ts';

/** The operations of an API by what their requests have. */
export interface Kinds {
  /** The operations that need a token. */
  secured: readonly string[];
  /** The operations with a body. */
  withBody: readonly string[];
}

/** Replies that both APIs give for the same causes. */
export const sharedCauses = ({ secured, withBody }: Kinds): Cause[] => [
  reply('malformed_request', withBody, 'The body is not valid JSON.', request({ body: '{"total": ' })),
  reply('empty_body', withBody, 'The body is empty.', request({ body: '' })),
  reply(
    'forbidden_field',
    withBody,
    'The body has a field that could change every object.',
    request({ body: '{"__proto__": {}}' }),
  ),
  reply(
    'too_complex',
    withBody,
    'The body nests lists and objects too deeply.',
    request({ body: '['.repeat(65) + ']'.repeat(65) }),
  ),
  reply('token_missing', secured, 'There is no Authorization header.', request({ headers: {} })),
  reply(
    'wrong_scheme',
    secured,
    'The Authorization header has another scheme than Bearer.',
    headers({ authorization: 'Basic cGs6c2s=' }),
  ),
  reply('token_malformed', secured, 'The token has not the form of a token.', headers({ authorization: 'Bearer not-a-token' })),
  reply('body_too_large', withBody, 'The body is larger than the gateway accepts.', ({ correct, core }) => ({
    ...correct,
    body: JSON.stringify('x'.repeat(core.settings.BODY_LIMIT_BYTES)),
  })),
  reply(
    'unsupported_media_type',
    withBody,
    'The body is not JSON.',
    headers({ 'content-type': 'application/x-www-form-urlencoded' }),
  ),
  reply('unsupported_encoding', withBody, 'The body is compressed.', headers({ 'content-encoding': 'gzip' })),
  reply(
    'internal_error',
    everywhere,
    'The gateway failed. This is a defect of the gateway, not of the request.',
    failing(new Error('a defect')),
  ),
  reply('unavailable', everywhere, 'The gateway cannot reach its database.', failing(new StoreUnavailable('no connection'))),
  reply('overloaded', everywhere, 'More calls arrive than the gateway can handle.', failing(overloaded(1))),
  reply(
    'query_timeout',
    everywhere,
    "A query took longer than the database's time limit.",
    failing(new StoreTooSlow('The query took longer than 8 s.')),
  ),
];

/** Asks after the store has failed with this error. */
const failing =
  (error: Error): Cause['ask'] =>
  ({ failStore }) => {
    failStore(error);
    return undefined;
  };

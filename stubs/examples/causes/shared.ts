import { StoreTooSlow, StoreUnavailable } from '../../../gateway/store/port.ts';
import { type Cause, withHeaders, without } from './cause.ts';

/** The operations of an API by what their requests have. */
export interface Kinds {
  /** Those that need a token. */
  secured: readonly string[];
  /** Those with a body. */
  withBody: readonly string[];
}

/** Replies that both APIs give for the same causes. */
export const sharedCauses = ({ secured, withBody }: Kinds): Cause[] => [
  {
    name: 'malformed_request',
    operations: withBody,
    cause: 'The body is not valid JSON.',
    ask: ({ correct }) => ({ ...correct, body: '{"total": ' }),
  },
  { name: 'empty_body', operations: withBody, cause: 'The body is empty.', ask: ({ correct }) => ({ ...correct, body: '' }) },
  {
    name: 'forbidden_field',
    operations: withBody,
    cause: 'The body has a field that could change every object.',
    ask: ({ correct }) => ({ ...correct, body: '{"__proto__": {}}' }),
  },
  {
    name: 'too_complex',
    operations: withBody,
    cause: 'Lists and objects of the body lie too deep in each other.',
    ask: ({ correct }) => ({ ...correct, body: '['.repeat(65) + ']'.repeat(65) }),
  },
  {
    name: 'token_missing',
    operations: secured,
    cause: 'There is no Authorization header.',
    ask: ({ correct }) => without(correct, 'authorization'),
  },
  {
    name: 'wrong_scheme',
    operations: secured,
    cause: 'The Authorization header has another scheme than Bearer.',
    ask: ({ correct }) => withHeaders(correct, { authorization: 'Basic cGs6c2s=' }),
  },
  {
    name: 'token_malformed',
    operations: secured,
    cause: 'The token has not the form of a token.',
    ask: ({ correct }) => withHeaders(correct, { authorization: 'Bearer not-a-token' }),
  },
  {
    name: 'body_too_large',
    operations: withBody,
    cause: 'The body is larger than the gateway accepts.',
    ask: ({ correct, core }) => ({ ...correct, body: JSON.stringify('x'.repeat(core.settings.BODY_LIMIT_BYTES)) }),
  },
  {
    name: 'unsupported_media_type',
    operations: withBody,
    cause: 'The body is not JSON.',
    ask: ({ correct }) => withHeaders(correct, { 'content-type': 'application/x-www-form-urlencoded' }),
  },
  {
    name: 'unsupported_encoding',
    operations: withBody,
    cause: 'The body is compressed.',
    ask: ({ correct }) => withHeaders(correct, { 'content-encoding': 'gzip' }),
  },
  {
    name: 'internal_error',
    cause: 'The gateway failed. This is a defect of the gateway, not of the request.',
    ask: ({ failStore }) => {
      failStore(new Error('a defect'));
      return undefined;
    },
  },
  {
    name: 'unavailable',
    cause: 'The gateway cannot reach its database.',
    ask: ({ failStore }) => {
      failStore(new StoreUnavailable('no connection'));
      return undefined;
    },
  },
  {
    name: 'query_timeout',
    cause: "A query took longer than the database's time limit.",
    ask: ({ failStore }) => {
      failStore(new StoreTooSlow('The query took longer than 8 s.'));
      return undefined;
    },
  },
];

import { expect, test } from 'vitest';
import { BlockedAddress, classify, outcomeOf } from '../../gateway/webhooks/sending/outcome.ts';

const coded = (code: string) => Object.assign(new Error(`it failed with ${code}`), { code });

test.each([
  ['ENOTFOUND', 'dns'],
  ['EAI_AGAIN', 'dns'],
  ['ECONNREFUSED', 'connect'],
  ['EHOSTUNREACH', 'connect'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
  ['CERT_HAS_EXPIRED', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
  ['EPROTO', 'tls'],
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['UND_ERR_HEADERS_OVERFLOW', 'response_too_large'],
  ['HPE_INVALID_CONSTANT', 'protocol'],
  ['SOMETHING_NEW', 'unknown'],
])('%s is of class %s', (code, outcome) => {
  expect(classify(coded(code))).toMatchObject({ outcome, error: `it failed with ${code}` });
});

test('an aggregate or a cause is classified by its inner error, with its address', () => {
  const refused = Object.assign(coded('ECONNREFUSED'), { address: '192.0.2.1' });
  expect(classify(new AggregateError([refused], ''))).toMatchObject({ outcome: 'connect', address: '192.0.2.1' });
  expect(classify(new Error('outer', { cause: coded('ECONNRESET') }))).toMatchObject({ outcome: 'reset' });
  expect(classify(new BlockedAddress('10.0.0.1', 'private'))).toMatchObject({ outcome: 'blocked_address', address: '10.0.0.1' });
});

test('a deadline is a timeout, and a thrown value that is not an error is unknown', () => {
  expect(classify(new DOMException('The operation was aborted due to timeout', 'TimeoutError')).outcome).toBe('timeout');
  expect(classify('just text')).toEqual({ outcome: 'unknown', error: 'just text', address: null });
});

test('statuses', () => {
  const all = [200, 204, 299, 300, 302, 304, 400, 404, 410, 429, 500, 503].map(outcomeOf);
  expect(all).toEqual([
    'success',
    'success',
    'success',
    'redirect',
    'redirect',
    'redirect',
    'status',
    'status',
    'gone',
    'status',
    'status',
    'status',
  ]);
});

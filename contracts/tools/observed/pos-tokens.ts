import { fieldsOf, isRecord, jsonOr } from '../json.ts';
import { choice, excludes, nothing, other, type Recogniser, shows } from './finding.ts';
import { isOn, isRefused, isSuccess, isText, says, tokenOf } from './look.ts';

/** Tokens of the point of sale, and where they are sent. */

const secured = ['POST /sales', 'POST /payment/mobile', 'GET /reports/sales'];
const token = 'POST /auth';

const part = (text: string | undefined) => jsonOr(Buffer.from(text ?? '', 'base64url').toString(), undefined);

const format: Recogniser = (call) => {
  const { token: value, expires_in: expiresIn } = fieldsOf(call.reply.body);
  if (!isOn(call, token) || !isSuccess(call) || !isText(value)) return nothing;
  const [head, claims] = value.split('.').map(part);
  const algorithm = fieldsOf(head).alg;
  if (!isRecord(head) || !isText(algorithm)) return shows('pos.token-format', 'random', 'the token is not a JWT');
  const way = algorithm === 'HS256' ? choice : 'rs256';
  return [
    ...shows(
      'pos.token-format',
      way,
      way === choice ? 'the token is a JWT with HS256' : 'the token is a JWT with another signature',
    ),
    ...lifetime(claims, expiresIn),
  ];
};

/** The claims of a JWT are in seconds (RFC 7519), so they tell the unit of expires_in. Without them nothing does. */
function lifetime(claims: unknown, expiresIn: unknown) {
  const { iat, exp } = fieldsOf(claims);
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof expiresIn !== 'number' || exp <= iat) return nothing;
  const seconds = exp - iat;
  const units = { [choice]: seconds, milliseconds: seconds * 1000, minutes: seconds / 60 };
  const [unit = other] = Object.entries(units).find(([, value]) => value === expiresIn) ?? [];
  const lives = seconds === 3600 ? choice : seconds === 86_400 ? '24-hours' : other;
  // If the two disagree, neither of them is certain.
  if (unit === other) return nothing;
  return [
    ...shows('pos.expires-in-unit', unit, `expires_in is ${unit === choice ? 'in seconds' : `in ${unit}`}, as the token says`),
    ...shows('pos.token-lifetime', lives, `a token lives ${seconds} seconds`),
  ];
}

const transport: Recogniser = (call) => {
  if (!isOn(call, ...secured) || !isSuccess(call)) return nothing;
  const gap = 'pos.token-transport';
  const sent = tokenOf(call);
  if (sent === 'bearer') return excludes(gap, ['own-header'], 'a call with Authorization: Bearer succeeds');
  return sent === 'own-header' ? excludes(gap, [choice], 'a call with the token in another header succeeds') : nothing;
};

const credentials: Recogniser = (call, earlier) => {
  const { api_key: key, api_secret: secret } = fieldsOf(call.asked.body);
  if (!isOn(call, token) || !isRefused(call) || !isText(key) || !isText(secret)) return nothing;
  const gap = 'pos.error-conditions';
  if (call.reply.status === 401) return excludes(gap, ['400-credentials'], 'wrong credentials are answered with 401');
  // The form of the credentials may be wrong, or the path.
  const isServed = call.asked.path.endsWith('/api/auth') || earlier.some((one) => isOn(one, token) && isSuccess(one));
  const isAboutThem =
    says(call, /credential|secret|wrong|incorrect|unknown|no such|identifiant/i) &&
    !says(call, /required|format|missing|length|pattern/i);
  return call.reply.status === 400 && isServed && isAboutThem
    ? shows(gap, '400-credentials', 'wrong credentials are answered with 400')
    : nothing;
};

const below: Recogniser = (call) => {
  if (!isOn(call, token) || !call.asked.path.endsWith('/api/v1/auth')) return nothing;
  const gap = 'pos.auth-path';
  if (call.reply.status === 404 || call.reply.status === 405)
    return shows(gap, 'beside-only', `/api/v1/auth is answered with ${call.reply.status}`);
  return isSuccess(call) ? excludes(gap, ['beside-only'], '/api/v1/auth issues a token') : nothing;
};

export const posTokens: readonly Recogniser[] = [format, transport, credentials, below];

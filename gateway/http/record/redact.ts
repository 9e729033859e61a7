/** Replaces a secret in records and logs. */
export const redacted = '[redacted]';

const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);
const secretNames =
  'api_?secret|secret|client_secret|signing_?secret|token|access_?token|refresh_?token|password|authorization|credential';
const secretName = new RegExp(`^(${secretNames})$`, 'i');
/** Finds `"token": "..."`, also if the text ends inside the value. */
const inText = new RegExp(
  `("(?:${secretNames})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*(?:"|$)|\\[[^\\]]*(?:\\]|$)|[^\\s"{\\[,}\\]][^,}\\]\\s]*)`,
  'gi',
);
/** Finds `token=...` in forms and query strings. */
const inQuery = new RegExp(`(^|[?&\\s])((?:${secretNames})=)[^&\\s]*`, 'gi');
/** A cheap test for a secret's name, or for an escape that could hide one. Most texts contain neither. */
const suspicious = /secret|token|password|authorization|credential|\\u/i;

/** The parts of a call that can hold a secret. */
interface SecretBearing {
  url: string;
  requestHeaders: Record<string, unknown>;
  requestBody: string | null;
  responseHeaders: Record<string, unknown>;
  responseBody: string | null;
}

/** These parts of a call, without their secrets. */
export function withoutSecrets<C extends Readonly<SecretBearing>>(call: C): Pick<C, keyof SecretBearing> {
  const bodyOf = <B extends string | null>(body: B) => (body === null ? body : (redactBody(body) as B));
  return {
    url: redactPath(call.url),
    requestHeaders: redactHeaders(call.requestHeaders),
    requestBody: bodyOf(call.requestBody),
    responseHeaders: redactHeaders(call.responseHeaders),
    responseBody: bodyOf(call.responseBody),
  };
}

/** Headers without their secrets: the same object if there are none. A scheme such as `Bearer` stays, because a wrong one is a common mistake. */
export function redactHeaders(headers: Record<string, unknown>): Record<string, unknown> {
  let shown = headers;
  for (const name in headers) {
    if (!secretHeaders.has(name)) continue;
    if (shown === headers) shown = { ...headers };
    const value = String(headers[name]);
    shown[name] = /^(Bearer|Basic) /i.test(value) ? `${value.split(' ')[0]} ${redacted}` : redacted;
  }
  return shown;
}

/** A path without the secrets of its query string. */
export function redactPath(path: string): string {
  return suspicious.test(path) ? path.replace(inQuery, `$1$2${redacted}`) : path;
}

/**
 * A body without the values of its secret fields. JSON that could hide a field's name behind escapes is parsed and
 * serialized again. Any other text is searched as it is.
 */
export function redactBody(body: string): string {
  if (!suspicious.test(body)) return body;
  const plain = body.includes('\\u') ? withoutEscapes(body) : body;
  const shown = plain.replace(inText, `$1"${redacted}"`);
  return shown.includes('=') ? shown.replace(inQuery, `$1$2${redacted}`) : shown;
}

function withoutEscapes(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value) =>
      secretName.test(name) && typeof value !== 'object' ? redacted : value,
    );
  } catch {
    // Not JSON, or nested too deeply to serialize. Unescaped, the text shows its names to the search in redactBody.
    return body.replace(/\\u([0-9a-f]{4})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

/** What replaces a secret in records and logs. */
export const redacted = '[redacted]';

const secretHeaders = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);
const secretNames =
  'api_?secret|secret|client_secret|signing_?secret|token|access_?token|refresh_?token|password|authorization|credential';
const secretName = new RegExp(`^(${secretNames})$`, 'i');
/** `"token": "..."`, also when the text ends inside the value, and `token=...` of forms and query strings. */
const inText = new RegExp(
  `("(?:${secretNames})"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*(?:"|$)|\\[[^\\]]*(?:\\]|$)|[^\\s"{\\[,}\\]][^,}\\]\\s]*)`,
  'gi',
);
const inQuery = new RegExp(`(^|[?&\\s])((?:${secretNames})=)[^&\\s]*`, 'gi');
/** A quick look: most texts have neither a secret's name nor an escape that could hide one. */
const suspicious = /secret|token|password|authorization|credential|\\u/i;

/** Headers without their secrets; a scheme such as `Bearer` stays, since a wrong one is a usual mistake. */
export function redactHeaders(headers: Record<string, unknown>): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!secretHeaders.has(name)) shown[name] = value;
    else shown[name] = /^(Bearer|Basic) /i.test(String(value)) ? `${String(value).split(' ')[0]} ${redacted}` : redacted;
  }
  return shown;
}

/** A path with the secrets of its query string taken out. */
export function redactPath(path: string): string {
  return suspicious.test(path) ? path.replace(inQuery, `$1$2${redacted}`) : path;
}

/**
 * A body with the values of secret fields taken out. Text that is JSON but hides a name behind escapes is parsed and
 * written anew; text that is not JSON is searched as it is.
 */
export function redactBody(body: string): string {
  if (!suspicious.test(body)) return body;
  const plain = body.includes('\\u') ? rewritten(body) : body;
  return plain.replace(inText, `$1"${redacted}"`).replace(inQuery, `$1$2${redacted}`);
}

function rewritten(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (name, value) =>
      secretName.test(name) && typeof value !== 'object' ? redacted : value,
    );
  } catch {
    // Not JSON, or nested too deeply to write: unescape, so that the search below sees names as they are.
    return body.replace(/\\u([0-9a-f]{4})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

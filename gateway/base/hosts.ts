/** A URL with one or more `host:port`, separated by commas, as in the setting of a database with several servers. */
const form = /^([a-z-]+:\/\/(?:[^@/?#]*@)?)([^@/?#]+)(.*)$/;

/** Returns a URL for each host; of another form, the text itself. */
export function urlsOfHosts(text: string): string[] {
  const [, before = '', hosts = '', after = ''] = form.exec(text) ?? [];
  return hosts === '' ? [text] : hosts.split(',').map((host) => `${before}${host}${after}`);
}

/** Removes the brackets of an IPv6 address: `[::1]` becomes `::1`. */
export const hostOf = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/**
 * Removes what precedes the last `@` of an address: it may be a password, also if the address cannot be
 * parsed.
 */
export const withoutLogin = (address: string): string => address.replace(/^.*:.*@/s, '[redacted]@');

/** Returns what follows the question mark. A plus is a plus there, and no space: passwords contain some. */
export const parametersOf = ({ search }: URL): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search.replaceAll('+', '%2B')));

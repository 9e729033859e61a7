/** http://www.softwareishard.com/blog/har-12-spec/: what is not optional, and its type. */
const required = {
  startedDateTime: 'string',
  time: 'number',
  cache: 'object',
  timings: { send: 'number', wait: 'number', receive: 'number' },
  request: {
    method: 'string',
    url: 'string',
    httpVersion: 'string',
    cookies: 'array',
    headers: 'array',
    queryString: 'array',
    headersSize: 'number',
    bodySize: 'number',
  },
  response: {
    status: 'number',
    statusText: 'string',
    httpVersion: 'string',
    cookies: 'array',
    headers: 'array',
    content: { size: 'number', mimeType: 'string' },
    redirectURL: 'string',
    headersSize: 'number',
    bodySize: 'number',
  },
};

/** The fields of a HAR's entry that are not there, or of another type. */
export const missingOfHar = (entry: object): string[] => missing(entry, required);

function missing(value: object, fields: object, at = ''): string[] {
  return Object.entries(fields).flatMap(([name, type]) => {
    const found = (value as Record<string, unknown>)[name];
    if (typeof type === 'object') return missing((found ?? {}) as object, type, `${at}${name}.`);
    return (Array.isArray(found) ? 'array' : typeof found) === type ? [] : [`${at}${name}`];
  });
}

/** The required fields of HAR 1.2 with their types: http://www.softwareishard.com/blog/har-12-spec/. */
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

/** Returns the fields of a HAR entry that are missing or have another type. */
export const missingOfHar = (entry: object): string[] => missing(entry, required);

function missing(value: object, fields: object, at = ''): string[] {
  return Object.entries(fields).flatMap(([name, type]) => {
    const found = (value as Record<string, unknown>)[name];
    if (typeof type === 'object') return missing((found ?? {}) as object, type, `${at}${name}.`);
    return (Array.isArray(found) ? 'array' : typeof found) === type ? [] : [`${at}${name}`];
  });
}

/** Archives as different programs write them. Each has a token, a list and a refusal of one API. */

interface Shape {
  method?: string;
  url?: string;
  status?: number;
  body?: string;
  reply?: string;
  /** What a program writes in another way. */
  entry?: object;
  request?: object;
  response?: object;
}

const pairs = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }));

/** One entry with the required fields. */
export function entryOf({
  method = 'GET',
  url = 'https://pos.example/api/v1/inventory?store_id=STORE-1',
  status = 200,
  body,
  reply = '{"success":true,"data":{"store_id":"STORE-1"}}',
  entry,
  request,
  response,
}: Shape = {}) {
  return {
    request: {
      method,
      url,
      bodySize: body?.length ?? 0,
      headers: pairs({ Authorization: 'Bearer aaaa.bbbb.cccccccc', Accept: 'application/json' }),
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: body } }),
      ...request,
    },
    response: {
      status,
      headers: pairs({ 'Content-Type': 'application/json; charset=utf-8' }),
      content: { size: reply.length, mimeType: 'application/json', text: reply },
      ...response,
    },
    ...entry,
  };
}

export const archiveOf = (...entries: unknown[]): Buffer =>
  Buffer.from(JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } }));

const reply = '{"success":true,"data":{"store_id":"STORE-1"}}';
const inBase64 = (bytes: Uint8Array | string) => Buffer.from(bytes as string).toString('base64');

/** One call of the inventory, as each program writes it. All of them mean the same. */
export function styles(compress: (text: string) => Uint8Array): Record<string, object> {
  const http2 = { name: ':authority', value: 'pos.example' };
  return {
    'Chrome, with pseudo headers and fields of its own': entryOf({
      entry: { _initiator: { type: 'script' }, _priority: 'High', _resourceType: 'fetch', connection: '443', pageref: 'page_1' },
      request: {
        httpVersion: 'http/2.0',
        headers: [http2, { name: ':method', value: 'GET' }, { name: 'authorization', value: 'Bearer aaaa.bbbb.cccccccc' }],
      },
      response: {
        headers: [
          { name: ':status', value: '200' },
          { name: 'content-type', value: 'application/json; charset=utf-8' },
        ],
      },
    }),
    'Firefox, in base64 and with empty texts': entryOf({
      request: { postData: { mimeType: '', params: [], text: '' } },
      response: { content: { mimeType: 'application/json', size: 46, encoding: 'base64', text: inBase64(reply) } },
    }),
    'mitmproxy, without sizes': entryOf({
      entry: { serverIPAddress: '192.0.2.7' },
      request: { headersSize: 300, bodySize: null },
      response: { content: { mimeType: 'application/json', text: reply } },
    }),
    'a proxy that keeps the compressed bytes': entryOf({
      response: {
        headers: pairs({ 'Content-Encoding': 'gzip', 'Content-Type': 'application/json; charset=utf-8' }),
        content: { size: 46, mimeType: 'application/json', encoding: 'base64', text: inBase64(compress(reply)) },
      },
    }),
    'a browser behind nginx: decompressed, with the header of the compression': entryOf({
      response: {
        headers: pairs({ 'Content-Encoding': 'br', 'Content-Type': 'application/json; charset=utf-8' }),
        content: { size: 46, compression: 20, mimeType: 'application/json', encoding: 'base64', text: inBase64(reply) },
      },
    }),
    'below a base address': entryOf({ url: 'https://pos.example/shop/api/v1/inventory?store_id=STORE-1' }),
  };
}

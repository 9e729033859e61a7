import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { askedBy, parsed } from '../assumptions/asked.ts';

/** What a partner's program did with one of the APIs. The order of the exchanges does not matter. */
export interface Recording {
  service: ServiceName;
  exchanges: Exchange[];
  /** The webhooks that were sent. */
  deliveries: { event: string; accepted: boolean }[];
}

type Headers = Readonly<Record<string, string | string[] | number | undefined>>;

/** A call as a stub's journal and an archive have it. `url`: path with query, from the root of the API. */
interface Call {
  method: string;
  url: string;
  requestHeaders: Headers;
  requestBody: string;
  status: number;
  responseHeaders: Headers;
  responseBody: string;
}

export const exchangeOf = (call: Call): Exchange => ({
  request: askedBy(call.method, call.url, lowerCase(call.requestHeaders), call.requestBody),
  reply: { status: call.status, headers: lowerCase(call.responseHeaders), body: parsed(call.responseBody) },
});

function lowerCase(headers: Headers): Record<string, string> {
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
}

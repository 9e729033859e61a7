import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { askedBy, parsed } from '../assumptions/asked.ts';
import { isTooDeep, tooDeep } from '../json.ts';

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

export function exchangeOf(call: Call): Exchange {
  const request = askedBy(call.method, call.url, lowerCase(call.requestHeaders), call.requestBody);
  const reply = { status: call.status, headers: lowerCase(call.responseHeaders), body: parsed(call.responseBody) };
  return { request: { ...request, body: levelled(request.body) }, reply: { ...reply, body: levelled(reply.body) } };
}

const levelled = (body: unknown) => (isTooDeep(body) ? tooDeep : body);

function lowerCase(headers: Headers): Record<string, string> {
  const sent = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
}

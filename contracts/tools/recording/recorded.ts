import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { askedBy, parsed } from '../../../spec/openapi/asked.ts';
import { isTooDeep, tooDeep } from '../json.ts';
import type { ProviderState } from '../states/state.ts';
import { single } from '../verification/answers.ts';

/** What a partner's program did with one of the APIs. The order of the exchanges does not matter. */
export interface Recording {
  service: ServiceName;
  exchanges: Exchange[];
  /** The webhooks that were sent. */
  deliveries: { event: string; accepted: boolean }[];
  /** Calls that can never become an interaction, each with the reason. Without secrets. */
  leftOut: string[];
}

/** An interaction of a version 4 pact. */
export interface WrittenInteraction {
  description: string;
  providerStates: ProviderState[];
  response?: { status: number };
  [part: string]: unknown;
}

/** A call as a stub's journal and an archive have it. Names of headers are in lower case. */
export interface Call {
  /** In capitals. */
  method: string;
  /** Path with query, from the root of the API. */
  url: string;
  requestHeaders: Readonly<Record<string, unknown>>;
  requestBody: string;
  /** 0 if there was no reply. */
  status: number;
  responseHeaders: Readonly<Record<string, unknown>>;
  responseBody: string;
}

export function exchangeOf(api: ServiceName, call: Call): Exchange {
  const request = askedBy(api, call.method, call.url, single(call.requestHeaders), call.requestBody);
  const reply = { status: call.status, headers: single(call.responseHeaders), body: parsed(call.responseBody) };
  return { request: { ...request, body: levelled(request.body) }, reply: { ...reply, body: levelled(reply.body) } };
}

const levelled = (body: unknown) => (isTooDeep(body) ? tooDeep : body);

import type { ServiceName } from '../../../spec/documents/services.ts';

/** A call as it was on the wire, whatever recorded it: a stub's journal or a HAR file. */
export interface RecordedCall {
  method: string;
  /** Path with query, as sent, from the root of the API: `/api/v1/sales?page=2`. */
  url: string;
  /** Names in lower case. */
  requestHeaders: Record<string, string>;
  requestBody: string;
  status: number;
  /** Names in lower case. */
  responseHeaders: Record<string, string>;
  responseBody: string;
  /** When the call arrived, in milliseconds since 1970. */
  at: number;
}

/** A webhook that was sent, and whether the receiver accepted it. */
export interface RecordedDelivery {
  eventType: string;
  body: string;
  accepted: boolean;
}

/** What a partner's program did with one of the APIs. */
export interface Recording {
  service: ServiceName;
  calls: RecordedCall[];
  deliveries: RecordedDelivery[];
}

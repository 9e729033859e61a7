import type { ServerResponse } from 'node:http';

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and headers that each hop writes itself. */
const ofOneHop = new Set(
  'connection keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  ),
);

/** Returns true if a proxy forwards this header. */
export const isEndToEnd = (name: string): boolean => !ofOneHop.has(name.toLowerCase());

/** Sends a message to Pact's verifier: its content as the body, its metadata in the header that the verifier reads. */
export function answerWithMessage(response: ServerResponse, metadata: Record<string, unknown>, body: string): void {
  response.setHeader('pact-message-metadata', Buffer.from(JSON.stringify(metadata)).toString('base64'));
  response.setHeader('content-type', String(metadata.contentType ?? 'application/json'));
  response.end(body);
}

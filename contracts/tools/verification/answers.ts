import type { ServerResponse } from 'node:http';

/** Headers of one connection (RFC 9110, section 7.6.1), and those that each hop writes itself. */
const ofOneHop = new Set(
  'connection keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  ),
);

/** Whether a header is passed on by who stands between two connections. */
export const isEndToEnd = (name: string): boolean => !ofOneHop.has(name.toLowerCase());

/** Answers Pact's verifier with a message: its content as the body, its metadata in the header that the verifier reads. */
export function answerWithMessage(response: ServerResponse, metadata: Record<string, unknown>, body: string): void {
  response.setHeader('pact-message-metadata', Buffer.from(JSON.stringify(metadata)).toString('base64'));
  response.setHeader('content-type', String(metadata.contentType ?? 'application/json'));
  response.end(body);
}

import type { ServerResponse } from 'node:http';
import type { OAuth2Client } from '../../gateway/store/tables/webhooks.ts';
import { type Received, receiver } from './receiver.ts';

/** How a token server answers: a token, or as a test wants. */
export type TokenAnswer = (response: ServerResponse, received: Received) => void;

/** Answers with a token of the given lifetime, whose value counts. */
export const issue =
  (seconds: number | undefined = 3600): TokenAnswer =>
  (response, { body }) => {
    const value = `token-${new URLSearchParams(body).get('scope') ?? ''}-${++issued}`;
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ access_token: value, token_type: 'Bearer', expires_in: seconds }));
  };
let issued = 0;

/** Starts a token server whose answer a test may change, and a receiver that takes what `accepts` says. */
export async function tokenWorld({ accepts = () => true }: { accepts?: (authorization: string | undefined) => boolean } = {}) {
  const state = { answer: issue() as TokenAnswer, accepts };
  const server = await receiver((response, received) => state.answer(response, received));
  const shop = await receiver((response, { headers }) =>
    response.writeHead(state.accepts(headers.authorization) ? 204 : 401).end(),
  );
  const oauth2: OAuth2Client = {
    token_url: server.url.replace('/hook', '/token'),
    client_id: 'passerelle',
    client_secret: 'open: sesame/100%',
    scope: 'hooks',
    audience: null,
    client_auth: 'basic',
  };
  return { state, server, shop, oauth2, sent: () => shop.received.map(({ headers }) => headers.authorization) };
}

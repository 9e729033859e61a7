/** A usual mistake: what is wrong, what to do about it, and a line of Node that does it. */
export interface Mistake {
  says: string;
  fix: string;
  code?: string;
}

/** Lines of Node that several mistakes share. */
export const codes = {
  rawBody: "app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));",
  bytes: 'verifySignature(Buffer.concat(chunks), request.headers, secret); // chunks as they came, nothing in between',
  helper: 'verifySignature(rawBody, request.headers, secret); // the secret as it was shown',
  over: "createHmac('sha256', key).update(id + '.' + timestamp + '.').update(rawBody)",
} as const;

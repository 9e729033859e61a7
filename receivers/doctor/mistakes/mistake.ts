/** A common mistake: what is wrong, how to fix it, and a line of JavaScript for the fix. */
export interface Mistake {
  says: string;
  fix: string;
  code?: string;
}

/** Lines of JavaScript that several mistakes share. */
export const codes = {
  rawBody: "app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));",
  bytes: 'verifySignature(Buffer.concat(chunks), request.headers, secret); // the chunks as received',
  helper: 'verifySignature(rawBody, request.headers, secret); // the secret as it was shown',
  over: "createHmac('sha256', key).update(id + '.' + timestamp + '.').update(rawBody)",
} as const;

import type { FastifyInstance } from 'fastify';

/** Escapes each `%` of a URL whose escapes do not decode, so that its API answers the call and it is recorded. */
export function decodableUrl(url: string): string {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}

/** Parses JSON bodies and keeps their text: records show it, and idempotency compares it byte for byte. */
export function parseJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    request.rawBody = body;
    parse(request, body, done);
  });
}

import type { FastifyInstance } from 'fastify';
import { ownFiles } from '../../gateway/base/own-files.ts';

export const pagePath = '/_stub/page';

const folder = new URL('./web/', import.meta.url);

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const headers = {
  'cache-control': 'no-cache',
  'content-security-policy': [
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:",
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the page of a running stub. Its files hold nothing of the stub, so everyone may read them; what the page shows and
 * changes goes through `/_stub`.
 */
export async function servePage(app: FastifyInstance): Promise<void> {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, recorded: false };
  });
  app.get(pagePath, async (_request, reply) =>
    reply
      .type(types.html as string)
      .headers(headers)
      .send(await fileOf('index.html')),
  );
  app.get<{ Params: { file: string } }>(`${pagePath}/:file`, async ({ params: { file } }, reply) => {
    const [, ending] = /^[a-z-]+\.(js|css)$/.exec(file) ?? [];
    const content = ending === undefined ? undefined : await fileOf(file).catch(() => undefined);
    if (content === undefined) return reply.callNotFound();
    return reply
      .type(types[ending as string] as string)
      .headers(headers)
      .send(content);
  });
}

const fileOf = (name: string) => ownFiles.read(new URL(name, folder));

/** Sends people who open the stub's address in a browser to its page. For programs `/` is a path of the API. */
export function showPageAtRoot(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url !== '/' || request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return done();
    request.unrecorded = true;
    reply.redirect(pagePath);
  });
}

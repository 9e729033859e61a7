import type { FastifyInstance } from 'fastify';
import { services } from '../../spec/documents/services.ts';

/** The API documents, which refusals and mismatches name as `spec/point-of-sale.md`. */
const documents = Object.values(services).map(({ document }) => document);

/**
 * Serves each Markdown file in docs/ and its folders as a page, and as it is. Files are read when a page is opened, and what
 * renders them is loaded then.
 */
export function serveGuides(app: FastifyInstance): void {
  for (const document of documents)
    app.get(`/docs/${document}`, async (_request, reply) => {
      const [, { readDocsFile }] = await parts();
      return reply.type('text/plain; charset=utf-8').send(await readDocsFile(document));
    });
  app.get('/docs/guides', async (_request, reply) => {
    const [{ sendIndex }, { listGuides }] = await parts();
    return sendIndex(reply, 'en', listGuides());
  });
  app.get<{ Params: { '*': string }; Querystring: { q?: unknown } }>('/docs/guides/*', async (request, reply) => {
    const [{ sendIndex, sendPage, sendSearch }, { languages, listGuides, readDocsFile, typeOf }, { addressIn }] = await parts();
    const path = request.params['*'];
    const listing = listGuides();
    const type = typeOf(path, listing);
    if (type !== undefined) return reply.type(type).send(await readDocsFile(path));
    const plain = path.replace(/\/$/, '').toLowerCase();
    const language = languages.find((one) => one !== 'en' && `${plain}/`.startsWith(`${one}/`)) ?? 'en';
    const name = language === 'en' ? plain : plain.slice(language.length + 1);
    // People add a slash, or write capitals.
    if (plain !== path && ['', 'search', ...listing.guides].includes(name))
      return reply.redirect(request.url.replace(/^[^?]*/, addressIn(language, name)), 308);
    if (name === 'search') return sendSearch(reply, language, request.query.q, listing);
    return name === '' ? sendIndex(reply, language, listing) : sendPage(reply, language, name, listing);
  });
}

const parts = () => Promise.all([import('./guides/send.ts'), import('./guides/files.ts'), import('./guides/read.ts')]);

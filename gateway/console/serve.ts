import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** The folder that `npm run console` builds. */
export const builtFolder = fileURLToPath(new URL('./built', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};
/** Encodings with the extension of their files, smallest result first. */
const encodings = { br: '.br', gzip: '.gz' };
type Encoding = keyof typeof encodings;

interface File {
  path: string;
  type: string;
  encoded: Partial<Record<Encoding, string>>;
}

export interface Console {
  /** Files by path below the folder, with slashes. No other path is ever opened (path traversal). */
  files: ReadonlyMap<string, File>;
  /** The page. Undefined if the console was not built. */
  index?: { html: string; etag: string };
}

/** Lists the folder once. A console built later needs a restart. */
export function readConsole(folder: string): Console {
  if (!existsSync(join(folder, 'index.html'))) return { files: new Map() };
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const known = new Set(paths);
  const files = paths
    .filter((path) => extname(path) in types && extname(path) !== '.html')
    .map((path): [string, File] => {
      const siblings = Object.entries(encodings).map(([name, ending]) => [name, path + ending]);
      const encoded = Object.fromEntries(siblings.filter(([, sibling = '']) => known.has(sibling)));
      return [relative(folder, path).replaceAll(sep, '/'), { path, type: types[extname(path)] as string, encoded }];
    });
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const etag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  return { files: new Map(files), index: { html, etag } };
}

/** Serves the console at `/console`. Paths below it that are not files get the page, except for missing assets. */
export function serveConsole({ files, index }: Console) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, recorded: false };
      route.logLevel = 'silent';
    });
    if (index) app.get('/', async (_request, reply) => reply.redirect('/console'));
    app.get('/console', (request, reply) => sendPage(request, reply, index));
    app.get<{ Params: { '*': string } }>('/console/*', async (request, reply) => {
      const path = request.params['*'];
      const file = files.get(path);
      if (file) return sendFile(request, reply, file, path.startsWith('assets/'));
      if (!index || !path.startsWith('assets/')) return sendPage(request, reply, index);
      return withSecurityHeaders(reply)
        .code(404)
        .header('cache-control', 'no-store')
        .type('text/plain; charset=utf-8')
        .send('This console has no such file. It may have been updated: reload the page.\n');
    });
  };
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, index: Console['index']): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64');
  withSecurityHeaders(reply, nonce).type('text/html; charset=utf-8');
  if (!index) return reply.code(503).header('cache-control', 'no-store').send(notBuilt);
  // With no-referrer, browsers send `Origin: null` with some of the page's own requests.
  reply.headers({ 'cache-control': 'no-cache', etag: index.etag, 'referrer-policy': 'same-origin' });
  if (!matchesEtag(request.headers['if-none-match'], index.etag))
    return reply.send(index.html.replaceAll('__CSP_NONCE__', nonce));
  // The cached page keeps the policy it came with: a new nonce would not match it.
  return reply.code(304).removeHeader('content-security-policy').removeHeader('content-type').send();
}

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: File, hashed: boolean): Promise<FastifyReply> {
  const accepted = acceptedEncodings(request.headers['accept-encoding']);
  const encoding = (Object.keys(encodings) as Encoding[]).find((name) => file.encoded[name] && accepted.has(name));
  const body = await readFile((encoding && file.encoded[encoding]) ?? file.path);
  withSecurityHeaders(reply)
    .type(file.type)
    .header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
  if (Object.keys(file.encoded).length > 0) reply.header('vary', 'accept-encoding');
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(body);
}

/** Sets a policy that allows only this gateway's files and API, and no framing by other sites. */
function withSecurityHeaders(reply: FastifyReply, nonce = randomBytes(16).toString('base64')): FastifyReply {
  return reply.headers({
    'content-security-policy':
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
      "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; frame-src 'self'",
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
}

/** The encodings that the client accepts, without those with `q=0`. */
function acceptedEncodings(header: string | string[] | undefined): Set<string> {
  const entries = String(header ?? '').split(',');
  return new Set(
    entries.filter((entry) => !/;\s*q=0(\.0*)?\s*$/.test(entry)).map((entry) => (entry.split(';')[0] ?? '').trim().toLowerCase()),
  );
}

const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === etag || tag.trim() === '*');

const notBuilt = `<!doctype html>
<html lang="en">
<title>Passerelle: the console is not built</title>
<h1>The console is not built</h1>
<p>Run <code>npm run console</code>, then start the gateway again. The manage API works without it: see <a href="/docs">/docs</a>.</p>
</html>
`;

import type { FastifyInstance } from 'fastify';

/** The routes of the app below a prefix, such as `GET /endpoints/:id`, without HEAD, which Fastify adds to each GET. */
export function routesBelow(app: FastifyInstance, prefix: string): string[] {
  const path: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part = '', methods = ''] = /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
      if (indent === undefined) return [];
      const depth = indent.length / 4;
      path.splice(depth, path.length, part);
      const url = path.join('').replace(/^\/+/, '/');
      if (!url.startsWith(`${prefix}/`)) return [];
      const here = methods.split(', ').filter((method) => method !== '' && method !== 'HEAD');
      // What answers paths that have no operation.
      if (/^\/?\*?$/.test(url.slice(prefix.length))) return [];
      return here.map((method) => `${method} ${url.slice(prefix.length)}`);
    });
}

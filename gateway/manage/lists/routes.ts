import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { nearestOf } from '../../base/nearest.ts';
import type { App } from '../../http/api.ts';
import { instant, toInstant } from '../../http/fields.ts';
import { listQuery, pagesOf, searchedPageOf } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import { blocksOf, type Counted, type Found } from '../../store/search.ts';
import type { Row, TableName } from '../../store/tables/index.ts';
import type { Format } from './formats.ts';

const namesFile = { 'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } } } as const;

/** What a list, its count and its exports say in the OpenAPI document. */
interface Named {
  /** The list's path, such as `/deliveries`. */
  url: string;
  /** The end of the operations' names, such as `Deliveries`. */
  name: string;
  /** The whole name of an operation, such as `exportDeliveries`. Default: as it is. */
  operation?: ((name: string) => string) | undefined;
  /** The rows, such as `deliveries`. */
  rows: string;
  tags: string[];
}

interface ExportOptions<F extends z.ZodRawShape, R, K extends string> extends Named {
  filters: F;
  /** The matching rows in blocks, newest first. A block is read when the client has taken those before it. */
  blocks(filter: z.output<z.ZodObject<F>>, request: FastifyRequest): AsyncIterable<readonly R[]>;
  formats: Readonly<Record<K, Format<R>>>;
}

const asItIs = (name: string) => name;

/**
 * `GET .../export`: all rows of a filtered list as a file. It is streamed at the speed of the client. So its length is not
 * limited, but the memory for it is. When the client disconnects, the reading ends.
 */
function exportRoute<F extends z.ZodRawShape, R, K extends string>(
  app: App,
  { url, name, operation = asItIs, rows, tags, filters, blocks, formats }: ExportOptions<F, R, K>,
): void {
  const names = Object.keys(formats) as [K, ...K[]];
  const types = new Set(names.map((format) => formats[format].type.split(';')[0] ?? ''));
  const querystring = listQuery({ format: formatField(names), ...filters });
  app.route({
    method: 'GET',
    url: `${url}/export`,
    config: { replyHeaders: namesFile, streams: true },
    schema: {
      operationId: operation(`export${name}`),
      tags,
      summary: `All matching ${rows} as a file, newest first`,
      description:
        `The filters of \`GET ${url === '/attempts' ? '/deliveries' : url}\`, without a limit. Secrets are redacted. In CSV, text that a spreadsheet ` +
        'would run as a formula begins with an apostrophe. If the file breaks off, the connection is closed before its end.',
      querystring,
      response: {
        200: { description: 'The file.', content: Object.fromEntries([...types].map((type) => [type, { schema: z.string() }])) },
      },
    },
    handler: async (request, reply) => {
      const { protocol, host } = request;
      const { format: wanted, ...filter } = request.query as { format: K };
      const format = formats[wanted];
      const started = await readFirst(blocks(filter as z.output<z.ZodObject<F>>, request as FastifyRequest));
      return (
        reply
          .type(format.type)
          .header('content-disposition', `attachment; filename="${rows}.${format.ending}"`)
          // The schema describes the whole file, which is sent in pieces.
          .send(Readable.from(format.text(started, { protocol, host })) as never)
      );
    },
  });
}

const formatField = <K extends string>(names: [K, ...K[]]) =>
  z
    .enum(names, {
      error: ({ input }) => {
        if (names.length === 1) return `must be ${names[0]}`;
        const nearest = typeof input === 'string' ? `; the nearest is ${nearestOf(input.slice(0, 60), names)}` : '';
        return `must be one of ${names.join(', ')}${nearest}`;
      },
    })
    .describe('The format of the file.');

/** Reads the first block at once: if the store is down, the call is refused instead of cut off. */
async function readFirst<B>(blocks: AsyncIterable<B>): Promise<AsyncIterable<B>> {
  const iterator = blocks[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    try {
      for (let block = first; !block.done; block = await iterator.next()) yield block.value;
    } finally {
      await iterator.return?.();
    }
  })();
}

const counted = {
  count: z.int(),
  more: z.boolean().describe('True if more rows than `count` may match: a count ends at 10,000 rows, or 100 found by text.'),
  searched_to: instant().nullable().describe('Set if only rows since this time were counted.'),
};

/** A list that is read in pages and counted up to a bound. `W`: what a request asks the store for. */
interface List<F extends z.ZodRawShape, W extends object, T extends TableName, V extends z.ZodType> extends Named {
  summary: string;
  description?: string;
  /** What the ids of the rows begin with, such as `dlv`. */
  ids: string;
  filters: F;
  /** Filters of the list alone. */
  further?: z.ZodRawShape;
  wanted(query: z.output<z.ZodObject<F>>, request: FastifyRequest): W | Promise<W>;
  read(wanted: W & { cursor?: string | undefined; limit: number }): Promise<Found<T>>;
  /** Returns the count, and the further values that `counts` describes. Without this function there is no route that counts. */
  count?(wanted: W): Promise<Counted<T>>;
  counts?: z.ZodRawShape;
  /** The time of a row, in the order of which they are listed. */
  at(row: Row<T>): number;
  /** A row as the list shows it. */
  row: V;
  view(rows: Row<T>[]): Promise<z.input<V>[]>;
  /** Further values in the reply, beside the rows of a page. */
  beside?: { shape: z.ZodRawShape; read(): object };
}

/** An export of a list: its rows, or what belongs to them. */
interface Export<R, L, K extends string> extends Partial<Named> {
  block: number;
  lines(rows: R[]): Promise<readonly L[]>;
  formats: Readonly<Record<K, Format<L>>>;
}

/** `GET .../` and `GET .../count`: a page of the matching rows, and how many there are. Returns what adds their exports. */
export function listRoutes<F extends z.ZodRawShape, W extends object, T extends TableName, V extends z.ZodType>(
  app: App,
  list: List<F, W, T, V>,
) {
  const { url, name, operation = asItIs, rows, tags, filters, wanted } = list;
  app.route({
    method: 'GET',
    url,
    schema: {
      operationId: operation(`list${name}`),
      tags,
      summary: list.summary,
      ...(list.description !== undefined && { description: list.description }),
      querystring: listQuery({ ...pagesOf(list.ids), ...list.further, ...filters }),
      response: { 200: searchedPageOf(list.row).extend(list.beside?.shape ?? {}) },
    },
    handler: async (request) => {
      const { cursor, limit, ...query } = request.query as { cursor?: string; limit: number };
      const asked = await wanted(query as z.output<z.ZodObject<F>>, request as FastifyRequest);
      const { data, next, stopped } = await list.read({ ...asked, cursor, limit });
      const searched_to = stopped && toInstant(list.at(stopped));
      return { data: await list.view(data), next, searched_to, ...list.beside?.read() };
    },
  });
  if (list.count) countRoute(app, list, list.count);
  return {
    exportAs: <L, K extends string>({ block: limit, lines, formats, ...own }: Export<Row<T>, L, K>) =>
      exportRoute(app, {
        url,
        name,
        operation,
        rows,
        tags,
        ...own,
        filters,
        formats,
        async *blocks(query, request) {
          const asked = await wanted(query, request);
          for await (const found of blocksOf((cursor) => list.read({ ...asked, cursor, limit }))) yield lines(found);
        },
      }),
  };
}

function countRoute<F extends z.ZodRawShape, W extends object, T extends TableName, V extends z.ZodType>(
  app: App,
  { url, name, operation = asItIs, rows, tags, filters, wanted, ...list }: List<F, W, T, V>,
  count: (wanted: W) => Promise<Counted<T>>,
): void {
  const route = routesOf(app, tags);
  route(`GET ${url}/count`, {
    operationId: operation(`count${name}`),
    summary: `How many ${rows} match, up to a bound`,
    querystring: listQuery(filters),
    data: z.object({ ...counted, ...list.counts }),
    handler: async (request) => {
      const { stopped, ...found } = await count(
        await wanted(request.query as z.output<z.ZodObject<F>>, request as FastifyRequest),
      );
      return { ...found, searched_to: stopped && toInstant(list.at(stopped)) };
    },
  });
}

import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { nearestOf } from '../../base/nearest.ts';
import type { App } from '../../http/api.ts';
import { instant, toInstant } from '../../http/fields.ts';
import { listQuery } from '../../http/page.ts';
import type { Counted } from '../../store/search.ts';
import type { Row, TableName } from '../../store/tables/index.ts';
import type { Format } from './formats.ts';

const namesFile = { 'Content-Disposition': { description: 'The name of the file.', schema: { type: 'string' } } } as const;

/** What the export and the count of a list say in the OpenAPI document. */
interface Named {
  /** The list's path, such as `/deliveries`. */
  url: string;
  /** The end of the operations' names, such as `Deliveries`. */
  name: string;
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

/**
 * `GET .../export`: all rows of a filtered list as a file. It is streamed at the speed of the client, so its length has no
 * bound and its memory has. When the client disconnects, the reading ends.
 */
export function exportRoute<F extends z.ZodRawShape, R, K extends string>(
  app: App,
  { url, name, rows, tags, filters, blocks, formats }: ExportOptions<F, R, K>,
): void {
  const names = Object.keys(formats) as [K, ...K[]];
  const types = new Set(names.map((format) => formats[format].type.split(';')[0] ?? ''));
  const querystring = listQuery({ format: formatField(names), ...filters });
  app.route({
    method: 'GET',
    url: `${url}/export`,
    config: { replyHeaders: namesFile },
    schema: {
      operationId: `export${name}`,
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
      const started = await readFirst(blocks(filter as never, request as FastifyRequest));
      return reply
        .type(format.type)
        .header('content-disposition', `attachment; filename="${rows}.${format.ending}"`)
        .send(Readable.from(format.text(started, { protocol, host })) as never);
    },
  });
}

const formatField = <K extends string>(names: [K, ...K[]]) =>
  z
    .enum(names, {
      error: ({ input }) => {
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
  count: z.number().int(),
  more: z.boolean().describe('True if more rows than `count` may match: a count ends at 10,000 rows, or 100 found by text.'),
  searched_to: instant().nullable().describe('Set if only rows since this time were counted.'),
};

/** `atOf` gives the time of the row where the count stopped. */
export const viewCounted = <T extends TableName>({ count, more, stopped }: Counted<T>, atOf: (row: Row<T>) => number) => ({
  count,
  more,
  searched_to: stopped && toInstant(atOf(stopped)),
});

interface CountOptions<F extends z.ZodRawShape, M extends z.ZodRawShape> extends Named {
  filters: F;
  /** What is counted beside the rows. */
  more?: M;
  count(filter: z.output<z.ZodObject<F>>, request: FastifyRequest): Promise<z.input<z.ZodObject<typeof counted & M>>>;
}

/** `GET .../count`: how many rows a filtered list has. It reads a bounded number of rows. */
export function countRoute<F extends z.ZodRawShape, M extends z.ZodRawShape = Record<never, never>>(
  app: App,
  { url, name, rows, tags, filters, more, count }: CountOptions<F, M>,
): void {
  app.route({
    method: 'GET',
    url: `${url}/count`,
    schema: {
      operationId: `count${name}`,
      tags,
      summary: `How many ${rows} match, up to a bound`,
      querystring: listQuery(filters),
      response: { 200: z.object({ data: z.object({ ...counted, ...more }) }) },
    },
    handler: async (request) => ({ data: (await count(request.query as never, request as FastifyRequest)) as never }),
  });
}

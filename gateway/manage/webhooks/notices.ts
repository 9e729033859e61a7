import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, toInstant } from '../../http/fields.ts';
import { pagesOf, searchedPageOf } from '../../http/page.ts';
import type { Row } from '../../store/tables/index.ts';
import { noticeKinds } from '../../store/tables/webhooks.ts';
import { listNotices, noticeMeanings } from '../../webhooks/endpoints/notices.ts';
import { idText } from './views.ts';

const kind = () => z.enum(noticeKinds);

export const noticeView = z
  .object({
    id: z.string(),
    kind: kind(),
    endpoint_id: z.string(),
    message: z.string().describe('What happened.'),
    advice: z.string().describe('What it means and what to do.'),
    created_at: instant(),
  })
  .meta({ id: 'Notice' });

export const viewNotice = ({ id, kind, endpoint_id, message, created_at }: Row<'notices'>): z.input<typeof noticeView> => ({
  id,
  kind,
  endpoint_id,
  message,
  advice: noticeMeanings[kind],
  created_at: toInstant(created_at),
});

export function noticeRoutes(app: App, { store }: Services): void {
  app.route({
    method: 'GET',
    url: '/notices',
    schema: {
      operationId: 'listNotices',
      tags: ['Webhook endpoints'],
      summary: 'Notices about endpoints, newest first',
      querystring: z.strictObject({ ...pagesOf('ntc'), endpoint_id: idText().optional(), kind: kind().optional() }),
      response: { 200: searchedPageOf(noticeView) },
    },
    handler: async ({ query }) => {
      const { data, next, stopped } = await listNotices(store, query);
      return { data: data.map(viewNotice), next, searched_to: stopped && toInstant(stopped.created_at) };
    },
  });
}

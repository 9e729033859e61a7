import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, named, toInstant } from '../../http/fields.ts';
import { pagesOf, searchedPageOf } from '../../http/page.ts';
import { routesOf } from '../../http/routes.ts';
import type { Row } from '../../store/tables/index.ts';
import { noticeKinds } from '../../store/tables/webhooks.ts';
import { listNotices, noticeMeanings } from '../../webhooks/endpoints/notices.ts';
import { idText } from './views.ts';

const kind = () => z.enum(noticeKinds);

export const noticeView = named('Notice', {
  id: z.string(),
  kind: kind(),
  endpoint_id: z.string(),
  message: z.string().describe('What happened.'),
  advice: z.string().describe('What it means and what to do.'),
  created_at: instant(),
});

export const viewNotice = ({ id, kind, endpoint_id, message, created_at }: Row<'notices'>): z.input<typeof noticeView> => ({
  id,
  kind,
  endpoint_id,
  message,
  advice: noticeMeanings[kind],
  created_at: toInstant(created_at),
});

export function noticeRoutes(app: App, { store }: Services): void {
  const route = routesOf(app, ['Webhook endpoints']);
  route('GET /notices', {
    operationId: 'listNotices',
    summary: 'Notices about endpoints, newest first',
    querystring: z.strictObject({ ...pagesOf('ntc'), endpoint_id: idText().optional(), kind: kind().optional() }),
    reply: searchedPageOf(noticeView),
    handler: async ({ query }) => {
      const { data, next, stopped } = await listNotices(store, query);
      return { data: data.map(viewNotice), next, searched_to: stopped && toInstant(stopped.created_at) };
    },
  });
}

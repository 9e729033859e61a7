import { z } from 'zod';
import { serviceNames } from '../../../spec/documents/services.ts';
import { viewGap } from '../../../spec/gaps/gap.ts';
import { gaps } from '../../../spec/gaps/gaps.ts';
import type { App } from '../../http/api.ts';
import { routesOf } from '../../http/routes.ts';

const gap = z.object({
  id: z.string(),
  api: z.enum(serviceNames),
  section: z.string().describe("The document's section."),
  quote: z.string().describe("The document's words; empty if it says nothing."),
  question: z.string(),
  choice: z.string(),
  why: z.string(),
  alternatives: z.array(z.string()),
  named_alternatives: z
    .array(
      z.object({
        id: z.string(),
        text: z.string(),
        settled_by: z
          .enum(['client', 'owner'])
          .describe(
            "client: careful code works under it and under the choice. owner: it takes the answer of the service's owner.",
          ),
        played: z.boolean().describe('True if a stub plays it.'),
        not_played_because: z.string().optional().describe('Why no stub plays it, in one sentence.'),
      }),
    )
    .describe('The alternatives with their short ids, by which a stub takes them: --assume pos.sale-status=200.'),
  status: z.enum(['assumed', 'confirmed', 'refuted']),
});

export function gapRoutes(app: App): void {
  const route = routesOf(app, ['Contracts']);
  route('GET /gaps', {
    operationId: 'listGaps',
    summary: 'The gap register: open points of the two documents, and the choices made',
    querystring: z.strictObject({ api: z.enum(serviceNames).optional() }),
    data: z.array(gap),
    handler: async (request) => gaps.filter(({ api }) => !request.query.api || api === request.query.api).map(viewGap),
  });
}

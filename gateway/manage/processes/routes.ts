import { z } from 'zod';
import type { App, Services } from '../../http/api.ts';
import { instant, named, withInstants } from '../../http/fields.ts';
import { routesOf } from '../../http/routes.ts';
import { processRoles } from '../../store/tables/operating.ts';
import { isRunning } from './presence.ts';

const processView = named('Process', {
  id: z.string(),
  version: z.string(),
  role: z.enum(processRoles),
  host: z.string(),
  pid: z.int(),
  running: z.boolean().describe('False if it was not seen for 30 s: it was killed, hangs, or cannot reach the database.'),
  clock_skew_seconds: z
    .number()
    .nullable()
    .describe("How far its machine's clock is ahead of the database's, in seconds; null on the embedded tier."),
  started_at: instant(),
  seen_at: instant().describe('A process shows itself every 10 s.'),
});

const maxRows = 500;

export function processRoutes(app: App, { store, clock }: Services): void {
  routesOf(app, ['Figures'])('GET /processes', {
    operationId: 'listProcesses',
    summary: 'The processes of this installation, those that were seen last first',
    description: `One that ends gracefully leaves the list; one that was killed stays for a day. At most ${maxRows}.`,
    reply: z.object({ data: z.array(processView) }),
    handler: async () => {
      const rows = await store.list('processes', { order: [['seen_at', 'desc']], limit: maxRows });
      const now = clock.now();
      return { data: rows.map((row) => ({ ...withInstants(row, 'started_at', 'seen_at'), running: isRunning(row, now) })) };
    },
  });
}

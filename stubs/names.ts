import type { CohesionWebhooks } from '../spec/clients/cohesion.ts';
import type { PosWebhooks } from '../spec/clients/pos.ts';
import type { Plan } from '../spec/documents/plans.ts';
import type { ServiceName } from '../spec/documents/services.ts';

/** The operations of each API, by their operationId. `test/stubs/misspelt.slow.test.ts` compares them with the OpenAPI documents. */
export const operationNames = {
  pos: ['issueToken', 'createSale', 'payByMobileMoney', 'readInventory', 'reportSales'],
  cohesion: [
    ...(['readMe', 'listIndicators', 'readIndicator', 'listInterventions', 'listStructures', 'readStats'] as const),
    ...(['createFinancing', 'updateFinancing'] as const),
  ],
} as const satisfies Record<ServiceName, readonly string[]>;

/** An operationId, such as `createSale`. */
export type OperationName<A extends ServiceName = ServiceName> = (typeof operationNames)[A][number];
/** An event type, such as `sale.completed`. */
export type EventName<A extends ServiceName = ServiceName> = { pos: keyof PosWebhooks; cohesion: keyof CohesionWebhooks }[A];
/** The plan of an account (pos). */
export type PlanName = Plan;

/** Who owns an endpoint: an account by `account:ID` (pos), a user by `user:ID` (cohesion). */
export interface OwnerNames {
  pos: `account:${string}`;
  cohesion: `user:${number}`;
}
export type OwnerName<A extends ServiceName = ServiceName> = OwnerNames[A];

/** Any text; editors still complete the names beside it. */
export type OtherText = string & {};

import type { FastifyRequest } from 'fastify';
import { sent } from '../contracts/tools/assumptions/conditions.ts';
import { listOf } from '../contracts/tools/assumptions/values.ts';
import { fieldsOf } from '../contracts/tools/json.ts';
import { askedOf, nothingKnown } from '../stubs/assume/asked.ts';

/** Looks at a call that was answered, without the alternative. */
type Condition = (request: FastifyRequest, status: number) => boolean;

const isRefusedBy =
  (rule: string): Condition =>
  ({ refusal }) =>
    refusal?.code === rule || (refusal?.details ?? []).some((detail) => detail.rule === rule);

const isSale: Condition = (request, status) => status < 400 && askedOf(request, nothingKnown).operation === 'POST /sales';

const awaitsPayment: Condition = (request, status) =>
  isSale(request, status) && sent(askedOf(request, nothingKnown)).payment_method === 'mobile_money';

const isBelowItsLines: Condition = (request, status) => {
  const { total, items } = sent(askedOf(request, nothingKnown));
  const lines = listOf(items).map((item) => Number(fieldsOf(item).quantity) * Number(fieldsOf(item).price));
  return isRefusedBy('sum_of_lines')(request, status) && Number(total) < lines.reduce((sum, line) => sum + line, 0);
};

/** The calls that a verb of the stub would treat otherwise, where the reply of the plain run does not show it. */
const calls: Readonly<Record<string, Condition>> = {
  'pos.sale-total=discount': isBelowItsLines,
  'pos.sale-total=trusted': isRefusedBy('sum_of_lines'),
  'pos.insufficient-stock=negative-stock': isRefusedBy('insufficient_stock'),
  'pos.stock-at-creation=at-completion': awaitsPayment,
};

/** Alternatives of webhooks that a sale causes. */
const webhooksOfSales: readonly string[] = ['pos.inventory-low-condition=every-change', 'pos.inventory-low-condition=at-zero'];

/** Alternatives that show only when a receiver does not take a webhook. */
export const afterFailedAttempts: readonly string[] = [
  'pos.webhook-retries=none',
  'pos.webhook-retries=few',
  'cohesion.webhook-retries=none',
  'cohesion.webhook-retries=three',
];

/** Alternatives of a gap for which a verb decides another one. What they change is found by asking them. */
const decidedByVariant: readonly string[] = ['pos.payment-reference=sale-id'];

/** Alternatives whose effect does not follow from the stub's asking whether they are active. */
export const decidedByStub: ReadonlySet<string> = new Set([
  ...Object.keys(calls),
  ...webhooksOfSales,
  ...afterFailedAttempts,
  ...decidedByVariant,
]);

/** True if the verb would have treated this call otherwise. */
export const isDecidedOtherwise = (id: string, request: FastifyRequest, status: number): boolean =>
  calls[id]?.(request, status) ?? false;

/** True if the call may cause other webhooks. It counts if somebody receives webhooks. */
export const mayCauseOtherWebhooks = (id: string, request: FastifyRequest, status: number): boolean =>
  webhooksOfSales.includes(id) && isSale(request, status);

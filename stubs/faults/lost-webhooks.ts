import type { Row } from '../../gateway/store/tables/index.ts';
import type { AttemptHooks } from '../../gateway/webhooks/model/attempt-hooks.ts';
import { parsed } from '../../spec/openapi/asked.ts';
import type { LostWebhook } from '../types.ts';
import type { Faults } from './faults.ts';

export interface LostWebhooksParts {
  faults: Pick<Faults, 'losesWebhooks' | 'choose'>;
  /** Returns the text of the rule of mobile money that loses the event's webhooks. */
  lossOf(event: Row<'events'>): string | undefined;
  /** Told of each lost webhook. Must not throw. */
  lost(webhook: LostWebhook): void;
}

/** Loses webhooks by the rules. Each is decided once, when its delivery is due for the first time: what is resent is sent. */
export class LostWebhooks implements Pick<AttemptHooks, 'skip' | 'skipped'> {
  readonly #parts: LostWebhooksParts;
  /** What was decided for each delivery: undefined for those that are sent. */
  readonly #decided = new Map<string, LostWebhook | undefined>();

  constructor(parts: LostWebhooksParts) {
    this.#parts = parts;
  }

  skip(delivery: Row<'deliveries'>, event: Row<'events'>, { url }: Row<'endpoints'>): 'lost' | undefined {
    const { id, attempts, reason, endpoint_id: caller } = delivery;
    const { faults, lossOf } = this.#parts;
    const ofPayment = lossOf(event);
    if (attempts > 0 || reason !== null || !(faults.losesWebhooks || ofPayment !== undefined)) return undefined;
    if (!this.#decided.has(id)) {
      const lost = ofPayment === undefined ? this.#faultOf(event, caller) : { fault: ofPayment };
      const webhook = { deliveryId: id, eventId: event.id, eventType: event.type, endpointId: caller, url };
      this.#decided.set(id, lost && { ...webhook, ...lost });
    }
    return this.#decided.get(id) && 'lost';
  }

  #faultOf({ type: operation, body }: Row<'events'>, caller: string): Pick<LostWebhook, 'fault' | 'faultRule'> | undefined {
    const facts = { method: '', path: '', operation, caller, body: parsed(body), isWebhook: true };
    const { outcome } = this.#parts.faults.choose(facts);
    return outcome?.rule && { fault: outcome.source, faultRule: outcome.rule.id };
  }

  skipped({ id }: Row<'deliveries'>): void {
    const webhook = this.#decided.get(id);
    if (webhook) this.#parts.lost(webhook);
  }

  reset(): void {
    this.#decided.clear();
  }
}

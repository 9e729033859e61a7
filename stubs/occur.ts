import type { ChangeParts, EventChange } from '../contracts/tools/states/changes/change.ts';
import { Refusal } from '../gateway/base/errors.ts';
import type { Services } from '../gateway/http/api.ts';
import type { Change } from '../gateway/webhooks/outbox/change.ts';
import type { EventDefinition } from '../gateway/webhooks/outbox/event.ts';
import type { ServiceName } from '../spec/documents/services.ts';
import type { StubMobileMoney } from './payments/mobile-money.ts';

/** An event to store and deliver. */
export interface Emitted {
  definition: EventDefinition;
  subject: string | null;
  data: unknown;
}

/** Loaded by the first event that a change may cause. */
const changesOf: Readonly<Record<ServiceName, () => Promise<Readonly<Record<string, EventChange>>>>> = {
  pos: async () => (await import('../contracts/tools/states/changes/pos.ts')).posChanges,
  cohesion: async () => (await import('../contracts/tools/states/changes/cohesion.ts')).cohesionChanges,
};

export interface OccurParts extends Pick<ChangeParts, 'apiKey'> {
  services: Pick<Services, 'change'>;
  service: ServiceName;
  /** Schedules the ends of pending payments, and tells of them. */
  payments: Pick<StubMobileMoney, 'noteEnd'> | undefined;
}

export interface Occurred {
  /** The events that the change emitted, in order; they are not stored yet. Undefined if no change was made. */
  emitted: Emitted[] | undefined;
  /** What changed, or why nothing did. */
  because: string;
}

/**
 * Makes the change that causes an event. If no record allows it and `on` names none, nothing changes. Throws a `Refusal` if the
 * record that `on` names does not allow it.
 */
export async function occur(
  { services, service, payments, apiKey }: OccurParts,
  { event, on }: { event: string; on: string | undefined },
): Promise<Occurred> {
  const causing = (await changesOf[service]())[event];
  if (!causing) {
    if (on === undefined) return { emitted: undefined, because: `No change causes ${event}.` };
    throw new Refusal('invalid', 'no_cause', `No change causes ${event}. Leave out "on".`);
  }
  try {
    const { endedPayments, ...occurred } = await services.change(async (change) => {
      const emitted: Emitted[] = [];
      const endedPayments: string[] = [];
      const emit: Change['emit'] = (definition, { subject, data }) =>
        emitted.push({ definition, subject, data: definition.data.parse(data) });
      const paymentEnded = (id: string) => endedPayments.push(id);
      const because = await causing({ ...change, emit }, on, { apiKey, paymentEnded });
      if (!emitted.some(({ definition }) => definition.type === event))
        throw new Refusal('conflict', 'not_caused', `Under the stub's active alternatives, this change causes no ${event}.`);
      return { emitted, because, endedPayments };
    });
    for (const id of endedPayments) await payments?.noteEnd(id);
    return occurred;
  } catch (error) {
    // A refused change is undone as a whole.
    if (on === undefined && error instanceof Refusal) return { emitted: undefined, because: error.message };
    throw error;
  }
}

import type { Keyring } from '../../gateway/base/keyring.ts';
import type { Row } from '../../gateway/store/tables/index.ts';
import { deadLetterRules, recoverableStatuses } from '../../gateway/store/tables/webhooks.ts';
import { sealCredentials } from '../../gateway/webhooks/endpoints/credentials.ts';
import { removeEndpoint, updateEndpoint, verifyEndpoint } from '../../gateway/webhooks/endpoints/endpoints.ts';
import { rotateSecret } from '../../gateway/webhooks/endpoints/rotation.ts';
import { isBlocking } from '../../gateway/webhooks/model/order-key.ts';
import { resendDelivery, sendTestEvent, skipDelivery } from '../../gateway/webhooks/operator/manual.ts';
import { createRecovery } from '../../gateway/webhooks/operator/recoveries.ts';
import type { Change } from '../../gateway/webhooks/outbox/change.ts';
import type { EventDefinition } from '../../gateway/webhooks/outbox/event.ts';
import { followOwner, stateOfAccount } from '../../gateway/webhooks/outbox/owners.ts';
import { Random } from './random.ts';
import type { Servers } from './servers.ts';

/** Credentials for a URL: one header, whose value says for which host it is. */
export function ownCredentials(keys: Keyring, url: string) {
  const { host } = new URL(url);
  return sealCredentials(keys, {
    headers: { 'X-Own': `only for ${host}` },
    basic: null,
  });
}

/** What operators and owners do. */
export const actionKinds = [
  'delivery sent again',
  'endpoint paused',
  'secret rotated',
  'recovery begun',
  'url changed',
  'endpoint deleted',
  'endpoint verified',
  'test sent',
  'owner moved',
  'owner paused',
] as const;
export const skipKinds = ['delivery skipped'] as const;
export const ruleKinds = ['dead letter rule changed'] as const;
export const everyActionKind = [...actionKinds, ...skipKinds, ...ruleKinds];
export type ActionKind = (typeof everyActionKind)[number];

export interface OperatorParts {
  servers: Servers;
  keys: Keyring;
  catalogue: readonly EventDefinition[];
  endpointIds: readonly string[];
  /** The stores that an owner may get. */
  stores: readonly string[];
  /** Runs a change at a gateway that runs. Rejects if none does. */
  change<R>(work: (change: Change) => Promise<R>, random: Random): Promise<R>;
}

type Ask = (what: string, work: (change: Change) => Promise<unknown>) => Promise<boolean>;

/** Acts as operators and owners do. Remembers which deliveries were asked for. */
export class Operators {
  readonly #parts: OperatorParts;
  /** How often an operator asked for one more attempt of a delivery, whether the answer came or not. */
  readonly asked = new Map<string, number>();

  /** Those that somebody skipped, or tried to. */
  readonly skipped = new Set<string>();

  /** Endpoints whose rule for dead letters somebody changed, or tried to. */
  readonly ruled = new Set<string>();

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  async act({ kind, seed }: { kind: ActionKind; seed: number }): Promise<void> {
    const { world } = this.#parts.servers;
    const random = new Random(seed);
    const ask: Ask = (what, work) =>
      this.#parts.change(work, random).then(
        () => {
          world.note(what);
          return true;
        },
        (error: Error) => {
          world.note(`${what}: refused`, error.message);
          return false;
        },
      );
    await this.#acts[kind](random, ask);
  }

  #rules(random: Random) {
    return { catalogue: this.#parts.catalogue, allowLoopback: true, byOperator: random.chance(0.7) };
  }

  readonly #acts: Readonly<Record<ActionKind, (random: Random, ask: Ask) => Promise<unknown>>> = {
    'delivery sent again': async (random, ask) => {
      const all = await this.#parts.servers.rows.list('deliveries', { order: [['id', 'asc']] });
      const running = all.filter(({ status, parked }) => status === 'pending' && !parked);
      const some = running.length > 0 && random.chance(0.5) ? running : all;
      if (some.length === 0) return;
      const { id } = random.pick(some);
      const again = () => {
        this.asked.set(id, (this.asked.get(id) ?? 0) + 1);
        return ask('delivery sent again', (change) => resendDelivery(change, id));
      };
      await again();
      if (random.chance(0.5)) return;
      // Often its attempt still runs.
      await this.#parts.servers.world.wait(random.whole(1, 300));
      await again();
    },
    'delivery skipped': async (random, ask) => {
      const all = await this.#parts.servers.rows.list('deliveries', { order: [['id', 'asc']] });
      const blocking = all.filter(isBlocking);
      const some = blocking.length > 0 && random.chance(0.9) ? blocking : all;
      if (some.length === 0) return;
      const { id } = random.pick(some);
      this.skipped.add(id);
      await ask('delivery skipped', (change) => skipDelivery(change, id));
    },
    'dead letter rule changed': async (random, ask) => {
      const [any, on_dead_letter, rules] = [this.#endpoint(random), random.pick(deadLetterRules), this.#rules(random)];
      const all = await this.#parts.servers.rows.list('deliveries', { order: [['id', 'asc']] });
      const blocking = all.filter(isBlocking);
      const id = blocking.length > 0 ? random.pick(blocking).endpoint_id : any;
      this.ruled.add(id);
      await ask('dead letter rule changed', (change) => updateEndpoint(change, { id, on_dead_letter }, rules));
    },
    'endpoint paused': async (random, ask) => {
      const [id, rules, forMs] = [this.#endpoint(random), this.#rules(random), random.whole(1000, 60_000)];
      if (!(await ask('endpoint paused', (change) => updateEndpoint(change, { id, active: false }, rules)))) return;
      await this.#parts.servers.world.wait(forMs);
      await ask('endpoint resumed', (change) => updateEndpoint(change, { id, active: true }, rules));
    },
    'secret rotated': (random, ask) => {
      const [id, overlapHours] = [this.#endpoint(random), random.pick([0, random.fraction() / 60, 1, 24])];
      return ask('secret rotated', (change) => rotateSecret(change, { id, overlapHours }, this.#parts.keys));
    },
    'recovery begun': (random, ask) => {
      const statuses = recoverableStatuses.filter(() => random.chance(0.6));
      const some = random.chance(0.5) ? { endpoint_id: this.#endpoint(random) } : { from: 0 };
      const all = statuses.length > 0 ? statuses : [...recoverableStatuses];
      const filter = { ...some, statuses: all, pace: random.whole(1, 20) };
      return ask('recovery begun', (change) => createRecovery(change, filter));
    },
    'url changed': (random, ask) => {
      const [id, rules] = [this.#endpoint(random), this.#rules(random)];
      const number = this.#parts.endpointIds.indexOf(id) + 1;
      const url = `https://receiver-${number}-moved.example/${random.uint32()}`;
      const patch = {
        id,
        url,
        ...(random.chance(0.3) ? { active: true } : {}),
        ...(random.chance(0.5) ? { credentials: ownCredentials(this.#parts.keys, url) } : {}),
      };
      return ask('url changed', (change) => updateEndpoint(change, patch, rules));
    },
    'endpoint deleted': (random, ask) => {
      const id = this.#endpoint(random);
      return ask('endpoint deleted', (change) => removeEndpoint(change, id));
    },
    'endpoint verified': (random, ask) => {
      const id = this.#endpoint(random);
      return ask('endpoint verified', (change) => verifyEndpoint(change, id));
    },
    'test sent': async (random, ask) => {
      const [endpointId, newSecret] = [this.#endpoint(random), random.chance(0.5)];
      if (newSecret)
        await ask('secret rotated', (change) => rotateSecret(change, { id: endpointId, overlapHours: 1 }, this.#parts.keys));
      const test = { endpointId, eventType: 'sale.completed', newSecret };
      await ask('test sent', (change) => sendTestEvent(change, test, this.#parts.catalogue));
    },
    'owner moved': async (random, ask) => {
      const store_ids = random.chance(0.2) ? null : this.#parts.stores.filter(() => random.chance(0.5));
      await this.#recoverBefore(random, ask);
      await ask('owner moved', (change) => this.#changeOwner(change, random, { store_ids }));
    },
    'owner paused': async (random, ask) => {
      await this.#recoverBefore(random, ask);
      const again = random.uint32();
      const pause = (active: boolean) => (change: Change) => this.#changeOwner(change, new Random(again), { active });
      if (!(await ask('owner paused', pause(false)))) return;
      await this.#parts.servers.world.wait(random.whole(1000, 120_000));
      await ask('owner resumed', pause(true));
    },
  };

  /** Begins a slow recovery, so that what an operator does next happens during it. */
  async #recoverBefore(random: Random, ask: Ask): Promise<void> {
    if (random.chance(0.5)) return;
    const everything = { from: 0, statuses: [...recoverableStatuses], pace: 1 };
    await ask('recovery begun', (change) => createRecovery(change, everything));
    await this.#parts.servers.world.wait(random.whole(0, 5000));
  }

  #endpoint(random: Random): string {
    return random.pick(this.#parts.endpointIds);
  }

  async #changeOwner(change: Change, random: Random, patch: Partial<Row<'accounts'>>): Promise<void> {
    const id = `acc_${random.whole(1, 2)}`;
    const [account] = await change.tx.update('accounts', { id }, patch);
    if (account) await followOwner(change, stateOfAccount(account));
  }
}

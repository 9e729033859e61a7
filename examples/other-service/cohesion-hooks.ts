/** The webhooks of the other social-cohesion service. */
import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Hook, Intervention } from './cohesion-data.ts';

/** Three more attempts, if one fails. */
const pausesMs = [50, 100, 200];

const events: Readonly<Record<string, string>> = {
  approuve: 'intervention.validated',
  termine: 'intervention.terminated',
  suspendu: 'intervention.suspended',
};

export class Hooks {
  readonly #hooks: readonly Hook[];

  constructor(hooks: readonly Hook[]) {
    this.#hooks = hooks;
  }

  /** Tells of an intervention in a new status. The document shows the payload of the validated one only. */
  async moved({ id, statut, reference, intitule, structure_id, region }: Intervention, user: { id: number; name: string }) {
    const known = { intervention_id: id, reference, intitule, structure_id, region };
    const event = events[statut] ?? '';
    if (statut === 'approuve') await this.#post(() => ({ event, delivered_at: now(), data: { ...known, validated_by: user } }));
    else if (statut === 'termine') await this.send(event, { ...known, terminated_by: user });
    else await this.send(event, { ...known, suspended_by: user });
  }

  /** Sends an event whose payload the document does not show. Its fields stand beside its name. */
  send = (event: string, fields: object): Promise<void> => this.#post(() => ({ event_type: event, ...fields }));

  async #post(bodyOf: () => object): Promise<void> {
    await Promise.all(this.#hooks.map((hook) => deliver(hook, bodyOf)));
  }
}

const now = () => new Date().toISOString().replace('Z', '+00:00');

/** The time in the body is that of the attempt, so each attempt has a body of its own. */
async function deliver({ url, secret }: Hook, bodyOf: () => object): Promise<void> {
  for (const pauseMs of [...pausesMs, undefined]) {
    const body = JSON.stringify(bodyOf());
    const signature = createHmac('sha256', secret).update(body).digest('hex').toUpperCase();
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-SERVICE-Signature': `sha256=${signature}` },
      body,
    }).catch(() => undefined);
    if (reply?.ok || pauseMs === undefined) return;
    await pause(pauseMs);
  }
}

import type { paths } from './api.ts';

export type Endpoint = paths['/endpoints/{id}']['get']['responses'][200]['content']['application/json']['data'];

export interface EndpointState {
  word: 'active' | 'failing' | 'held' | 'probing' | 'paused' | 'disabled';
  /** The reason for the state, if it has one. */
  why: string | null;
  /** When the gateway tries the endpoint again. */
  until: string | null;
  /** `error` needs an operator, `warning` may recover on its own. */
  tone: 'ok' | 'warning' | 'error' | 'off';
}

const heldBecause: Readonly<Record<string, string>> = {
  failing: 'it keeps failing',
  slowed_down: 'its receiver asked to slow down',
};

const disabledBecause: Readonly<Record<string, string>> = {
  gone: 'its receiver answered 410 Gone',
  failing: 'every attempt failed for days',
};

/** The first failure makes an endpoint fail if no success follows within this time, as in the overview's verdict. */
const failingAfterMs = 5000;

/** The endpoint's state, from its switch (active or not) and its circuit. */
export function stateOf({
  active,
  disabled_reason,
  health,
}: Pick<Endpoint, 'active' | 'disabled_reason' | 'health'>): EndpointState {
  if (!active && disabled_reason === 'operator') return { word: 'paused', why: 'by an operator', until: null, tone: 'off' };
  if (!active)
    return { word: 'disabled', why: disabledBecause[disabled_reason ?? ''] ?? disabled_reason, until: null, tone: 'error' };
  const why = heldBecause[health.held_because ?? ''] ?? health.held_because;
  if (health.state === 'held') return { word: 'held', why, until: health.held_until, tone: 'error' };
  if (health.state === 'probing')
    return { word: 'probing', why: 'one attempt tests whether it works again', until: null, tone: 'warning' };
  if (health.failing_since !== null && Date.now() - Date.parse(health.failing_since) >= failingAfterMs)
    return { word: 'failing', why: 'no attempt has succeeded since', until: null, tone: 'error' };
  return { word: 'active', why: null, until: null, tone: 'ok' };
}

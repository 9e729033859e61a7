import type { paths } from './api.ts';

export type Endpoint = paths['/endpoints/{id}']['get']['responses'][200]['content']['application/json']['data'];

export interface EndpointState {
  word: 'active' | 'failing' | 'held' | 'probing' | 'paused' | 'disabled';
  /** Why it is so; null where there is nothing to say. */
  why: string | null;
  /** When it ends by itself. */
  until: string | null;
  /** `bad` wants somebody, `waits` may heal by itself. */
  tone: 'good' | 'waits' | 'bad' | 'off';
}

const heldBecause: Readonly<Record<string, string>> = {
  failing: 'it keeps failing',
  slowed_down: 'its receiver asked for patience',
};

const disabledBecause: Readonly<Record<string, string>> = {
  gone: 'its receiver answered 410 Gone',
  failing: 'nothing but failures for days',
};

/** A failure between successes is not worth a word: it is tried again. */
const patienceMs = 300_000;

/** How an endpoint is, of its switch and its circuit together. */
export function stateOf({
  active,
  disabled_reason,
  health,
}: Pick<Endpoint, 'active' | 'disabled_reason' | 'health'>): EndpointState {
  if (!active && disabled_reason === 'operator') return { word: 'paused', why: 'by an operator', until: null, tone: 'off' };
  if (!active)
    return { word: 'disabled', why: disabledBecause[disabled_reason ?? ''] ?? disabled_reason, until: null, tone: 'bad' };
  const why = heldBecause[health.held_because ?? ''] ?? health.held_because;
  if (health.state === 'held') return { word: 'held', why, until: health.held_until, tone: 'bad' };
  if (health.state === 'probing')
    return { word: 'probing', why: 'one attempt tries whether it is well', until: null, tone: 'waits' };
  if (health.failing_since !== null && Date.now() - Date.parse(health.failing_since) > patienceMs)
    return { word: 'failing', why: 'no success for a while', until: null, tone: 'waits' };
  return { word: 'active', why: null, until: null, tone: 'good' };
}

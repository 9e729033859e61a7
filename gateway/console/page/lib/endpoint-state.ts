import { text } from '../texts/shared.ts';
import type { paths } from './api.ts';

type EndpointDetail = paths['/endpoints/{id}']['get']['responses'][200]['content']['application/json']['data'];

/** An endpoint, of a list or by itself. */
export type Endpoint = Omit<EndpointDetail, 'filter_matches'> & Partial<Pick<EndpointDetail, 'filter_matches'>>;

export interface EndpointState {
  word: 'active' | 'failing' | 'blocked' | 'held' | 'probing' | 'paused' | 'disabled' | 'unverified';
  /** The reason for the state, if it has one. */
  why: string | null;
  /** When the gateway tries the endpoint again. */
  until: string | null;
  /** `error` needs an operator, `warning` may recover on its own. */
  tone: 'ok' | 'warning' | 'error' | 'off';
}

const whys = text.parts.endpointWhy;

/** The first failure makes an endpoint fail if no success follows within this time, as in the overview's verdict. */
const failingAfterMs = 5000;

/** The endpoint's state, from its switch (active or not) and its circuit. */
export function stateOf({
  active,
  disabled_reason,
  health,
  cause,
}: Pick<Endpoint, 'active' | 'disabled_reason' | 'health' | 'cause'>): EndpointState {
  // It was never verified, or not at its present URL. Its owner can do that.
  if (!active && (disabled_reason === 'unverified' || disabled_reason === 'url_changed'))
    return { word: 'unverified', why: whys.unverified[disabled_reason], until: null, tone: 'off' };
  const off = whys.off[disabled_reason ?? ''];
  if (!active && off !== undefined) return { word: 'paused', why: off, until: null, tone: 'off' };
  if (!active)
    return { word: 'disabled', why: whys.disabled[disabled_reason ?? ''] ?? disabled_reason, until: null, tone: 'error' };
  const why = whys.held[health.held_because ?? ''] ?? health.held_because;
  if (health.state === 'held') return { word: 'held', why, until: health.held_until, tone: 'error' };
  if (cause?.case === 'blocked') return { word: 'blocked', why: whys.blocked, until: null, tone: 'error' };
  if (health.state === 'probing') return { word: 'probing', why: whys.probing, until: null, tone: 'warning' };
  if (health.failing_since !== null && Date.now() - Date.parse(health.failing_since) >= failingAfterMs)
    return { word: 'failing', why: whys.failing, until: null, tone: 'error' };
  return { word: 'active', why: null, until: null, tone: 'ok' };
}

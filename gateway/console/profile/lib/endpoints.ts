import { type Endpoint, stateOf } from '../../page/lib/endpoint-state.ts';

export type { Endpoint };

/** True for an endpoint that was never verified, or not at its present URL. */
export const isUnverified = (endpoint: Endpoint): boolean => stateOf(endpoint).word === 'unverified';

/** False for an endpoint that an operator switched off: only an operator can switch it on. */
export const mayResume = ({ active, disabled_reason }: Endpoint): boolean => active || disabled_reason !== 'operator';

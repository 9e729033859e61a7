import { stateOf } from '../../page/lib/endpoint-state.ts';
import type { paths } from './api.ts';

export type Endpoint = paths['/endpoints/{id}']['get']['responses'][200]['content']['application/json']['data'];

/** True for an endpoint that was never verified, or not at its present URL. */
export const isUnverified = (endpoint: Endpoint): boolean => stateOf(endpoint).word === 'unverified';

/** False for an endpoint that an operator switched off: only an operator can switch it on. */
export const mayResume = ({ active, disabled_reason }: Endpoint): boolean => active || disabled_reason !== 'operator';

import type { paths } from '../../lib/api.ts';

export type WholeReport = paths['/verifications/{id}']['get']['responses'][200]['content']['application/json']['data']['report'];
export type Provider = WholeReport['verifications'][number];
export type Interaction = Provider['interactions'][number];

export const outcomes = ['failed', 'pending', 'verified'] as const;
export const outcomeColours = { failed: 'red', pending: 'yellow', verified: 'teal' } as const;

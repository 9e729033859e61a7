import type { paths } from './api.ts';
import { exportUrl } from './listed.ts';

export type CallQuery = NonNullable<paths['/calls']['get']['parameters']['query']>;
export type CallDetail = paths['/calls/{id}']['get']['responses'][200]['content']['application/json']['data'];
export type Call = paths['/calls']['get']['responses'][200]['content']['application/json']['data'][number];

export const harUrl = (query: CallQuery) => exportUrl('/calls', 'har', query as Record<string, string>);

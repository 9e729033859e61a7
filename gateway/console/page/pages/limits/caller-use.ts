import type { paths } from '../../lib/api.ts';

/** The calls of one account or token, and how much of its limits they used. */
export type CallerUse = paths['/limits']['get']['responses'][200]['content']['application/json']['data'][number];

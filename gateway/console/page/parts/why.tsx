import { type Cause, useWhy } from '../lib/why.ts';

/** Why something has not arrived, about the host. */
export const Why = ({ of }: { of: Cause }) => useWhy()(of);

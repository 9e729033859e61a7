import { type Cause, useWhy } from '../lib/why.ts';

/** Why something has not arrived. `subject`: whom it is about; by default the host. */
export const Why = ({ of, subject }: { of: Cause; subject?: string }) => useWhy()(of, subject);

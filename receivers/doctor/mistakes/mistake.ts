import type { LineId } from '../languages.ts';

/** A common mistake: what is wrong, and how to fix it, in words of no language. */
export interface Mistake {
  says: string;
  fix: string;
  /** The line of code for the fix. Mistakes that code does not fix have none. */
  code?: LineId;
}

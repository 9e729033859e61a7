import type { ServiceName } from '../../documents/services.ts';
import type { Asked } from '../assumptions/alternative.ts';
import type { JsonReply } from '../json.ts';

/** One call to the real service, as recognisers get it. It is kept in memory only: it holds secrets. */
export interface SeenCall {
  /** Counts from 1 in each run. */
  number: number;
  asked: Asked;
  reply: JsonReply;
  /** The length of the request's body. */
  sentBytes: number;
}

/** One way in which a service can answer a question: our choice, an alternative by its id, or something else. */
export type Way = string;
export const choice: Way = 'choice';
export const other: Way = 'other';

/** What one call says about one entry of the register. */
export interface Finding {
  gap: string;
  /** The only way that explains the reply. */
  shows?: Way;
  /** Ways that do not explain the reply. */
  excludes?: readonly Way[];
  /** What was seen, in words that hold no value of the call. */
  because: string;
}

/** Looks at a call, and at those before it in the same run. In doubt it returns nothing. */
export type Recogniser = (call: SeenCall, earlier: readonly SeenCall[]) => Finding[];
export type Recognisers = Readonly<Record<ServiceName, readonly Recogniser[]>>;

export const shows = (gap: string, way: Way, because: string): Finding[] => [{ gap, shows: way, because }];
export const excludes = (gap: string, ways: readonly Way[], because: string): Finding[] => [{ gap, excludes: ways, because }];
export const nothing: Finding[] = [];

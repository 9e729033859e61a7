import { isDeepStrictEqual } from 'node:util';
import type { JsonReply } from '../json.ts';
import type { ProviderState } from '../states/state.ts';

/** A webhook message with a parsed body. */
export interface JsonMessage {
  /** The event's type, such as `sale.completed`. */
  event: string;
  metadata: Record<string, unknown>;
  body: unknown;
}

/** The request of a pact's interaction: the example, and the named states. */
export interface Asked {
  /** Method and path as in the documents: `POST /sales`, `PUT /financements/{id}`. */
  operation: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** JSON, or text. */
  body: unknown;
  states: readonly ProviderState[];
  /** JSONPaths of body fields whose values come from a state. */
  fromStates: readonly string[];
}

/** Returns the reply of the alternative, or the same reply. Never modifies its input. */
export type ReplyChange = (reply: JsonReply, asked: Asked) => JsonReply;
export type MessageChange = (message: JsonMessage) => JsonMessage;

/** An executable alternative of a gap: how another choice changes replies or messages. */
export interface Alternative {
  gap: string;
  /** The id of one of the gap's `alternatives`. Several executable alternatives may share it. */
  id: string;
  reply?: ReplyChange;
  message?: MessageChange;
}

type Shown = Pick<Alternative, 'reply' | 'message'>;

/** Declares the executable alternatives of one gap, by their ids in the register. */
export function alternativesOf(gap: string, choices: Record<string, Shown | readonly Shown[]>): Alternative[] {
  return Object.entries(choices).flatMap(([id, shown]) => [shown].flat().map((one) => ({ gap, id, ...one })));
}

/** Returns the message of an alternative, or undefined if it does not change. */
export function otherMessage({ message }: Alternative, answer: JsonMessage): JsonMessage | undefined {
  return differing(answer, message?.(answer));
}

function differing<T>(before: T, after: T | undefined): T | undefined {
  return isDeepStrictEqual(before, after) ? undefined : after;
}

import { isDeepStrictEqual } from 'node:util';
import type { ProviderState } from '../states/state.ts';

/** A reply with its body parsed: text where it is no JSON, undefined where there is none. Header names are in lower case. */
export interface JsonReply {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** A webhook message with its body parsed. */
export interface JsonMessage {
  /** The event's type, such as `sale.completed`. */
  event: string;
  metadata: Record<string, unknown>;
  body: unknown;
}

/** What a pact's interaction asks: its example request, and the states that it names. */
export interface Asked {
  /** As the documents write it, below the base address: `POST /sales`, `PUT /financements/{id}`. */
  operation: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  /** Text where it is no JSON. */
  body: unknown;
  states: readonly ProviderState[];
  /** Fields of the body whose values a state gives (JSONPath). */
  fromStates: readonly string[];
}

/** Gives the reply as it would have been, or the same. Never changes what it is handed. */
export type ReplyChange = (reply: JsonReply, asked: Asked) => JsonReply;
export type MessageChange = (message: JsonMessage) => JsonMessage;

/** What a provider would have said, had it chosen otherwise about one entry of the gap register. */
export interface Alternative {
  gap: string;
  /** One of the entry's `alternatives`, word for word. Several executable ones may share it. */
  choice: string;
  reply?: ReplyChange;
  message?: MessageChange;
}

type Shown = Pick<Alternative, 'reply' | 'message'>;

/** The executable alternatives of one gap, by the words of the register. */
export function otherwise(gap: string, choices: Record<string, Shown | readonly Shown[]>): Alternative[] {
  return Object.entries(choices).flatMap(([choice, shown]) => [shown].flat().map((one) => ({ gap, choice, ...one })));
}

/** The reply under an alternative, or undefined where it is the same. */
export function otherReply({ reply }: Alternative, said: JsonReply, asked: Asked): JsonReply | undefined {
  return differing(said, reply?.(said, asked));
}

/** The message under an alternative, or undefined where it is the same. */
export function otherMessage({ message }: Alternative, said: JsonMessage): JsonMessage | undefined {
  return differing(said, message?.(said));
}

function differing<T>(before: T, after: T | undefined): T | undefined {
  return isDeepStrictEqual(before, after) ? undefined : after;
}

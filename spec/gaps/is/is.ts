import type { Json, JsonReply } from '../../json.ts';

/** A webhook message with a parsed body. */
export interface JsonMessage {
  /** The event's type, such as `sale.completed`. */
  event: string;
  metadata: Record<string, unknown>;
  body: unknown;
  /** What a receiver compares in place of a signature. Known where a webhook is sent. */
  token?: string;
}

/** A request, as alternatives see it. */
export interface Asked {
  /** Method and path as in the documents: `POST /sales`, `PUT /financements/{id}`. */
  operation: string;
  path: string;
  /** What the document shows for the path, if anything: `['POST']`. */
  methods?: readonly string[];
  query: Record<string, string>;
  headers: Record<string, string>;
  /** JSON, or text. */
  body: unknown;
}

/** A request, and the reply to it. */
export interface Exchange {
  request: Asked;
  reply: JsonReply;
}

export interface Detail {
  field: string;
  rule: string;
  message: string;
}

/** A refusal instead of the call. */
export interface Refused {
  status: number;
  /** As the reference has it for the same kind of refusal. */
  code: string;
  message: string;
  details: Detail[];
}

/** The parts of a request that an alternative changes before the reference validates it. */
export type Changed = Partial<Pick<Asked, 'query' | 'body' | 'headers'>> & {
  /** Changes a body that the reference has found valid, for what the service takes and the reference does not. */
  afterValidation?(body: Json): Json;
};

export interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
}

/** What is known beside a request. */
export interface CallFacts {
  parameters?: readonly string[] | undefined;
  bodyShape?: Shape | undefined;
}

/** Returns the reply of the alternative, or the same reply. Never modifies its input. */
export type ReplyChange = (reply: JsonReply, asked: Asked) => JsonReply;
export type MessageChange = (message: JsonMessage) => JsonMessage;
export type RequestChange = (asked: Asked, facts?: CallFacts) => Changed | Refused | undefined;

/** The stages in which alternatives are applied, in this order. Each works on what those before it have left of the reference's reply. */
export const stages = [
  /** Where the token is. */
  'transport',
  /** What the reply is about. */
  'subject',
  /** The units and forms of values. */
  'values',
  /** The names and shapes of fields and lists. */
  'names',
  /** Whether the call succeeds. */
  'outcome',
  'status',
  /** What is around a record. */
  'envelope',
  'errors',
  /** What the service takes and the reference's validation would refuse. Last, so that the others see what was sent. */
  'validation',
] as const;
export type Stage = (typeof stages)[number];

/** What a service does under an alternative that differs from the reference. */
export interface Is {
  at: Stage;
  /** Returns the Authorization header that the reference understands. Called before the caller is identified. */
  token?(authorization: string | undefined, headers: Readonly<Record<string, string | string[] | undefined>>): string | undefined;
  /** Changes the request before validation, or refuses it. */
  request?: RequestChange;
  /** `asked`: the request as it was sent. */
  reply?: ReplyChange;
  message?: MessageChange;
  /** True if a payment that no rule of a stub takes is pending first. */
  paymentsArePending?: true;
}

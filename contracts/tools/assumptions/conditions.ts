/** What a change depends on: what was asked, and what was said. */
import type { Asked, JsonReply, ReplyChange } from './alternative.ts';
import { fieldsOf } from './values.ts';

export type Condition = (asked: Asked, reply: JsonReply) => boolean;

export const whenever =
  (condition: Condition, change: ReplyChange): ReplyChange =>
  (reply, asked) =>
    condition(asked, reply) ? change(reply, asked) : reply;

export const both =
  (...conditions: Condition[]): Condition =>
  (asked, reply) =>
    conditions.every((condition) => condition(asked, reply));

export const not =
  (condition: Condition): Condition =>
  (asked, reply) =>
    !condition(asked, reply);

export const succeeds: Condition = (_, { status }) => status < 400;
export const isError: Condition = not(succeeds);

export const has =
  (...statuses: number[]): Condition =>
  (_, { status }) =>
    statuses.includes(status);

export const asks =
  (...operations: string[]): Condition =>
  ({ operation }) =>
    operations.includes(operation);

/** The fields of the body that was sent. */
export const sent = ({ body }: Asked) => fieldsOf(body);

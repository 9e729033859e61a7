/** Returns true if a change applies to this request and reply. */

import { fieldsOf, type JsonReply } from '../../json.ts';
import type { Asked, ReplyChange } from './is.ts';

export type Condition = (asked: Asked, reply: JsonReply) => boolean;

export const when =
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

export const isOperation =
  (...operations: string[]): Condition =>
  ({ operation }) =>
    operations.includes(operation);

export const sent = ({ body }: Asked) => fieldsOf(body);

export const wantsJson = ({ headers }: Asked) => /^$|json|\*\/\*|application\/\*/.test(headers.accept ?? '');

import type { TestNumber } from '../types.ts';
import { mobileMoneyText, parseMobileMoney, parseMobileMoneyRules } from './rule.ts';

/** What stands for the rules of all test numbers. */
const sandbox = 'sandbox';

const number = (name: string, phone: string, rule: string, does: string): TestNumber => ({
  name,
  phone,
  does,
  rule: mobileMoneyText({ ...parseMobileMoney(rule), phone }),
});

/** The published numbers. The guide, the page and the reference of a stub, and `GET /_stub` show this table. */
export const testNumbers: readonly TestNumber[] = [
  number('received', '+2250000000001', 'pending:5s', 'Pending, and received after 5 s.'),
  number('refused', '+2250000000002', 'pending:5s,refused', 'Pending, and refused by the payer after 5 s.'),
  number('timed_out', '+2250000000003', 'pending:2m,timed_out', 'Pending, and not confirmed within 2 minutes.'),
  number('never', '+2250000000004', 'pending', 'Pending for ever: it neither ends nor has a webhook.'),
  number('late', '+2250000000005', 'pending:1h', 'Received after an hour, when a client has given up.'),
  number('webhook_early', '+2250000000006', 'received,webhook=early', 'Received at once, its webhook before the reply.'),
  number('webhook_twice', '+2250000000007', 'pending:5s,webhook=twice', 'Received after 5 s, and the webhook comes twice.'),
  number('webhook_lost', '+2250000000008', 'pending:5s,webhook=lost', 'Received after 5 s, and the webhook never comes.'),
];

/** Reads the rules of a stub, with those of the test numbers in place of `sandbox`. Throws `CouldNotRun`. */
export const mobileMoneyRules = (texts: readonly string[]) =>
  parseMobileMoneyRules(texts.flatMap((text) => (text.trim() === sandbox ? testNumbers.map(({ rule }) => rule) : [text])));

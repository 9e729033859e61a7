import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { exact } from '../../gateway/api/pos/domain/decimals.ts';
import { phonePattern } from '../../gateway/api/pos/schemas.ts';
import { durationForms, durationText, parseDuration } from '../../gateway/base/duration.ts';
import { nearestOf, refusedName } from '../../gateway/base/nearest.ts';
import { paymentEnds, paymentProviders } from '../../gateway/store/tables/pos.ts';
import type { PaymentEnd } from './types.ts';

/** What happens to the payments that it takes. */
export interface MobileMoneyRule {
  /** `received`: at once. */
  status: 'received' | 'pending';
  /** How long it is pending, in milliseconds. Without it, until it is settled by hand. */
  forMs?: number;
  /** How it ends after that time. */
  end?: PaymentEnd;
  /** Only payments from this number: digits, with a plus sign if the rule has one. */
  phone?: string;
  /** Only payments of this amount, as decimal text. */
  amount?: string;
  provider?: string;
  /** Only the first payments that it takes. */
  times?: number;
  /** What becomes of the webhooks of a received payment. Default: they are sent after the reply, once. */
  webhook?: (typeof webhookFates)[number];
}

/** `early`: delivered before the reply. */
const webhookFates = ['early', 'twice', 'lost'] as const;

/** The parts of a payment that rules look at. */
export type Charged = Readonly<Record<'phone' | 'amount' | 'provider', string>>;

/** An option of a rule: how its value is read, and which payments it lets through if it is a condition. */
interface Option {
  read(value: string): string | number;
  fits?(payment: Charged, wanted: string): boolean;
}

const longestMs = 7 * 86_400_000;
const digitsOf = (phone: string) => phone.replaceAll(/\D/g, '');

/** A country code has up to 3 digits. Numbers of Côte d'Ivoire keep their 0 after it: 0700000001 is +2250700000001. */
const longestCode = 3;

/** Returns true for the same digits, also if only one of the two numbers has the country code. */
function isSameNumber(one: string, other: string): boolean {
  const [short = '', long = ''] = [digitsOf(one), digitsOf(other)].sort((a, b) => a.length - b.length);
  return short === long || (short.startsWith('0') && long.endsWith(short) && long.length - short.length <= longestCode);
}

const oneOf = (value: string, known: readonly string[], what: string): string =>
  known.includes(value) ? value : refuse(refusedName(value, `is not ${what}`, known));

const options = {
  phone: {
    read: (value) =>
      phonePattern.test(value)
        ? value.replaceAll(/[^+\d]/g, '')
        : refuse(`"${value}" is not a telephone number of 8 to 15 digits.`),
    fits: ({ phone }, wanted) => isSameNumber(phone, wanted),
  },
  amount: {
    read: (value) =>
      /^\d{1,13}(\.\d{1,12})?$/.test(value) && exact(value).gt(0)
        ? exact(value).toFixed()
        : refuse(`"${value}" is not an amount above 0.`),
    fits: ({ amount }, wanted) => exact(amount).eq(wanted),
  },
  provider: {
    read: (value) => oneOf(value, paymentProviders, 'a provider'),
    fits: ({ provider }, wanted) => provider === wanted,
  },
  times: {
    read: (value) => (/^[1-9]\d{0,8}$/.test(value) ? Number(value) : refuse(`times is a whole number from 1, not "${value}".`)),
  },
  webhook: { read: (value) => oneOf(value, webhookFates, 'what a webhook can be') },
} satisfies Readonly<Record<string, Option>>;

type OptionName = keyof typeof options;
const optionNames = Object.keys(options) as OptionName[];
const conditions = ['phone', 'amount', 'provider'] as const;

const forms =
  'Write received, pending, pending:30s or pending:30s,refused; after that phone=, amount=, provider=, times= or webhook= after commas.';

/**
 * Reads a rule: what a payment is, then how it ends, conditions and a number of times, after commas.
 *
 *     received
 *     pending
 *     pending:30s
 *     pending:30s,refused,phone=+2250700000001
 *     pending:2m,timed_out,times=1
 *     pending:30s,webhook=twice
 *
 * Throws only `CouldNotRun`, whose message says what is wrong.
 */
export function parseMobileMoney(text: string): MobileMoneyRule {
  try {
    const [first = '', ...others] = text.split(',').map((part) => part.trim());
    const rule = readStatus(first);
    for (const part of others) readPart(rule, part);
    if (rule.forMs !== undefined) rule.end ??= 'received';
    checkWebhook(rule);
    if (rule.forMs !== undefined || rule.end === undefined) return rule;
    throw new CouldNotRun(`"${first}" has no duration after which a payment is ${rule.end}.`);
  } catch (error) {
    if (error instanceof CouldNotRun) throw new CouldNotRun(`mobile money "${text.slice(0, 200)}": ${error.message} ${forms}`);
    throw error;
  }
}

/** A webhook says only that a payment is received, and only one that is received at once can say so before the reply. */
function checkWebhook({ status, end, webhook }: MobileMoneyRule): void {
  if (webhook === undefined) return;
  if (webhook === 'early' && status !== 'received')
    refuse('webhook=early goes with received: a reply never waits for a pending payment.');
  if (status !== 'received' && end !== 'received')
    refuse('webhook= goes with a payment that is received: received, or pending:30s.');
}

/** Reads the rules of a stub. The first rule that fits a payment decides. Throws `CouldNotRun` if one can never be used. */
export function parseMobileMoneyRules(texts: readonly string[]): MobileMoneyRule[] {
  const rules = texts.map(parseMobileMoney);
  for (const [at, rule] of rules.entries()) {
    const before = rules.slice(0, at).findIndex((earlier) => hides(earlier, rule));
    if (before >= 0)
      throw new CouldNotRun(
        `mobile money "${texts[at]}" is never used: "${texts[before]}" before it takes the same payments. Put it first.`,
      );
  }
  return rules;
}

/** Returns true if the earlier rule takes every payment that the later one would take. */
const hides = (earlier: MobileMoneyRule, later: MobileMoneyRule): boolean =>
  earlier.times === undefined &&
  conditions.every((name) => {
    const wanted = earlier[name];
    return wanted === undefined || (later[name] !== undefined && options[name].fits(later as Charged, wanted));
  });

/** Writes a rule as text that `parseMobileMoney` reads as the same rule. */
export function mobileMoneyText(rule: MobileMoneyRule): string {
  const status = rule.forMs === undefined ? rule.status : `${rule.status}:${durationText(rule.forMs)}`;
  const given = optionNames.filter((name) => rule[name] !== undefined).map((name) => `${name}=${rule[name]}`);
  return [status, ...(rule.end === undefined ? [] : [rule.end]), ...given].join(',');
}

/** Returns true if the rule takes this payment, whatever its `times`. */
export const takes = (rule: MobileMoneyRule, payment: Charged): boolean =>
  conditions.every((name) => {
    const wanted = rule[name];
    return wanted === undefined || options[name].fits(payment, wanted);
  });

function readStatus(text: string): MobileMoneyRule {
  const [status = '', duration] = text.split(/:(.*)/s).map((part) => part.trim());
  if (status === 'sandbox') return refuse('sandbox stands alone: its test numbers have rules of their own.');
  if (isEnd(status) && status !== 'received')
    return refuse(`A payment is ${status} only after it was pending: pending:30s,${status}.`);
  if (status !== 'received' && status !== 'pending')
    return refuse(
      `"${status}" is not what a payment can be. Did you mean ${nearestOf(status, ['received', 'pending', 'sandbox'])}?`,
    );
  if (duration === undefined) return { status };
  if (status === 'received') return refuse(`A received payment takes no time. Write pending:${duration}.`);
  return { status, forMs: readDuration(duration) };
}

function readDuration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) return refuse(`"${text}" is not a duration. ${durationForms}`);
  if (!Number.isInteger(ms)) return refuse(`"${text}" is not a whole number of milliseconds.`);
  if (ms > longestMs) return refuse(`"${text}" is longer than 7 days.`);
  return ms;
}

/** Reads the end of a pending payment, or an option, into the rule. */
function readPart(rule: MobileMoneyRule, part: string): void {
  const [name = '', value] = part.split(/=(.*)/s).map((each) => each.trim());
  if (value === undefined && isEnd(name)) {
    if (rule.end !== undefined) refuse(`It has two ends: ${rule.end} and ${name}.`);
    rule.end = name;
    return;
  }
  const known = value === undefined ? paymentEnds : optionNames;
  const what = value === undefined ? 'an end of a payment' : 'an option';
  if (!Object.hasOwn(options, name)) refuse(`"${name}" is not ${what}. Did you mean ${nearestOf(name, known)}?`);
  if (!value) refuse(`${name} needs a value: ${name}=...`);
  if (rule[name as OptionName] !== undefined) refuse(`${name} is given twice.`);
  Object.assign(rule, { [name]: options[name as OptionName].read(value ?? '') });
}

const isEnd = (text: string): text is PaymentEnd => (paymentEnds as readonly string[]).includes(text);

function refuse(message: string): never {
  throw new CouldNotRun(message);
}

import { styleText } from 'node:util';
import type { AttemptReport } from '../gateway/webhooks/model/listener.ts';
import type { RecordedCall } from './journal/call.ts';
import type { StubPayment } from './payments/types.ts';
import type { LostWebhook, StubEvent } from './types.ts';

export interface LineOptions {
  colors: boolean;
}

type Style = Parameters<typeof styleText>[0];

/** Formats what happened as one line for people. */
export function lineOf(event: StubEvent, options: LineOptions): string {
  if (event.kind === 'payment') return paymentLine(event.payment, options);
  if (event.kind === 'lost') return lostLine(event.webhook, options);
  return event.kind === 'call' ? callLine(event.call, options) : attemptLine(event.attempt, options);
}

/** Formats what happened as one JSON object for programs. */
export function jsonLineOf(event: StubEvent): string {
  if (event.kind === 'attempt') return JSON.stringify({ at: new Date().toISOString(), ...event.attempt, kind: 'attempt' });
  if (event.kind === 'payment') return JSON.stringify({ kind: 'payment', at: new Date().toISOString(), ...event.payment });
  if (event.kind === 'lost') return JSON.stringify({ kind: 'lost', at: new Date().toISOString(), ...event.webhook });
  const { id, at, method, url, operation, status, durationMs, refusal, fault, faultRules } = event.call;
  return JSON.stringify({ kind: 'call', id, at, method, url, operation, status, durationMs, refusal, fault, faultRules });
}

export type CallOfLine = Pick<
  RecordedCall,
  'at' | 'method' | 'url' | 'status' | 'durationMs' | 'refusal' | 'fault' | 'faultRules'
>;

export function callLine(
  { at, method, url, status, durationMs, refusal, fault, faultRules = [] }: CallOfLine,
  { colors }: LineOptions,
): string {
  const parts = [
    clockOf(at),
    method.padEnd(6),
    url,
    painted(String(status || 'no reply'), styleOf(status), colors),
    `${durationMs.toFixed(1)} ms`,
  ];
  if (fault) parts.push(...faultParts(fault, faultRules, { colors }));
  if (refusal && !fault) parts.push(painted(refusal.message, 'dim', colors));
  return oneLine(parts.join('  '));
}

const faultParts = (fault: string, rules: readonly string[], { colors }: LineOptions): string[] => [
  painted(`fault ${fault}`, 'magenta', colors),
  ...rules.map((id) => painted(`DELETE /_stub/faults/${id} removes it`, 'dim', colors)),
];

function lostLine({ eventType, url, fault, faultRule }: LostWebhook, options: LineOptions): string {
  const parts = [clockOf(new Date().toISOString()), 'hook  ', `${eventType} -> ${url}`, painted('lost', 'red', options.colors)];
  return oneLine([...parts, ...faultParts(fault, faultRule === undefined ? [] : [faultRule], options)].join('  '));
}

function attemptLine(attempt: AttemptReport, { colors }: LineOptions): string {
  const { eventType, url, attempt: number, responseStatus, outcome, durationMs, status, error } = attempt;
  const result = responseStatus === null ? outcome : String(responseStatus);
  const style = outcome === 'success' ? 'green' : 'red';
  const parts = [
    clockOf(new Date().toISOString()),
    'hook  ',
    `${eventType} -> ${url}`,
    painted(result, style, colors),
    `${durationMs.toFixed(1)} ms`,
  ];
  parts.push(painted(followUp(number, status, attempt.nextAttemptAt), 'dim', colors));
  if (error !== null && responseStatus === null) parts.push(painted(error, 'dim', colors));
  return oneLine(parts.join('  '));
}

function paymentLine({ id, reference, amount, status }: StubPayment, { colors }: LineOptions): string {
  const style = status === 'received' ? 'green' : 'yellow';
  const parts = [clockOf(new Date().toISOString()), 'money ', `${id} of ${amount} for ${reference}`];
  return oneLine([...parts, painted(status.replace('_', ' '), style, colors)].join('  '));
}

function followUp(number: number, status: string, nextAttemptAt: number | null): string {
  if (status === 'delivered') return `attempt ${number}, delivered`;
  if (nextAttemptAt === null) return `attempt ${number}, ${status}: a dead letter`;
  return `attempt ${number}, next at ${new Date(nextAttemptAt).toISOString().slice(0, 19)}Z`;
}

const clockOf = (at: string) => at.slice(11, 19);

function styleOf(status: number): Style {
  if (status >= 500 || status === 0) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}

const painted = (text: string, style: Style, colors: boolean) =>
  colors ? styleText(style, text, { validateStream: false }) : text;

/** Replaces control characters: a caller must not write lines or move the cursor on a developer's terminal. */
const oneLine = (text: string): string => text.replace(/[\u0000-\u001a\u001c-\u001f\u007f-\u009f]|\u001b(?!\[\d+m)/g, '?');

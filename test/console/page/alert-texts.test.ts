import { expect, test } from 'vitest';
import { alertText, type ShownCase } from '../../../gateway/alerts/cases.ts';
import { endingText } from '../../../gateway/alerts/endings.ts';
import { alertRules, conditionOf, defaultsOf } from '../../../gateway/alerts/rules.ts';
import { text } from '../../../gateway/console/page/texts/index.ts';
import { setSharedTexts } from '../../../gateway/console/page/texts/shared.ts';
import { causeText, noValues } from '../../../gateway/figures/cause.ts';
import {
  type AlertDetail,
  type AlertEnding,
  type AlertValues,
  alertRuleNames,
  partnerAlertNames,
} from '../../../gateway/store/tables/alerts.ts';

setSharedTexts(text);
const { endingOf, messageOf } = await import('../../../gateway/console/page/pages/alerts/message.ts');

test.each(alertRuleNames)('the console describes the rule %s as the API and e-mails do', (name) => {
  const { title, resolves, threshold } = alertRules[name];
  const numbers = { threshold: threshold && 7, period_minutes: 13 };
  const described = text.alerts.rule[name];
  expect(described).toMatchObject({ title, resolves });
  expect(described.opens(7, 13)).toBe(conditionOf({ ...defaultsOf(name), ...numbers }));
  if (threshold && threshold.unit !== '%') expect(text.alerts.unit).toHaveProperty(threshold.unit, threshold.unit);
});

test('the rules are in the order of the API', () => {
  expect(Object.keys(text.alerts.rule)).toEqual(alertRuleNames);
});

type Shown = Extract<AlertDetail, { case: ShownCase }>;
const named = { endpoint: 'ep_1', host: 'till.example.org', description: 'Till' };
const unnamed = { endpoint: 'ep_2', host: 'till.example.org', description: '' };
const details: { [C in ShownCase]: AlertValues[C][] } = {
  endpoint_failing: [
    { ...named, failed: 3, attempts: 4, minutes: 10 },
    { ...unnamed, failed: 3000, attempts: 4000, minutes: 1 },
  ],
  endpoint_held: [
    { ...named, holds: 1 },
    { ...unnamed, holds: 12 },
  ],
  endpoint_gone: [named, unnamed],
  endpoint_disabled: [named, unnamed],
  dead_letters: [
    { ...named, deliveries: 1, minutes: 60 },
    { ...unnamed, deliveries: 2000, minutes: 60 },
  ],
  limit_refusals: [
    { caller: 'account:acc_1', name: 'Boutique', calls: 1, minutes: 10 },
    { caller: 'token:2', name: '', calls: 1000, minutes: 10 },
  ],
  ledger_unbalanced: [
    { missing: 1, surplus: 0 },
    { missing: 0, surplus: 2000 },
  ],
  calls_not_recorded: [
    { calls: 1, minutes: 10 },
    { calls: 2000, minutes: 10 },
  ],
  disk_space: [{ megabytes: 69001 }],
  own_endpoint_held: [named, unnamed],
  own_endpoint_disabled: [
    { ...named, because: 'gone' },
    { ...unnamed, because: 'failing' },
    { ...unnamed, because: 'operator' },
  ],
  own_token_expires: [{ token: 'token:2', name: 'Program', at: '2026-11-30T16:10:00.000Z' }],
  own_key_expires: [{ key: 'pk_1', at: '2026-11-30T16:10:00.000Z' }],
  own_secret_expires: [{ ...named, at: '2026-11-30T16:10:00.000Z' }],
  queue_down: [{}],
  store_down: [{}],
};

test.each(Object.entries(details))('the console says what the API and e-mails say: %s', (name, all) => {
  for (const values of all) {
    const detail = { case: name, values } as Shown;
    expect(messageOf({ ...detail, values: { ...values } as Record<string, string | number> })).toBe(alertText(detail));
  }
});

const deleted = { case: 'deleted', values: { ...noValues, host: 'till.example.org' } } as const;
const endings: AlertEnding[] = [
  { case: 'rule_off' },
  { case: 'cleared' },
  { case: 'stopped', cause: deleted },
  { case: 'answers', waiting: 0 },
  { case: 'answers', waiting: 1 },
  { case: 'answers', waiting: 14 },
];
const ofOperators = Object.entries(details).filter(([name]) => !partnerAlertNames.some((one) => one === name));

test.each(ofOperators)('the console says what ended an alert as the API and e-mails do: %s', (name, all) => {
  for (const values of all)
    for (const ending of 'endpoint' in values ? endings : endings.slice(0, 2)) {
      const detail = { case: name, values, ending } as Shown;
      const shown = { cause: null, waiting: null, ...ending, text: '' } as Parameters<typeof endingOf>[0]['ending'];
      const said = endingOf(
        { case: detail.case, values: { ...values } as Record<string, string | number>, ending: shown },
        causeText,
      );
      expect(said).toBe(endingText({ detail, message: alertText(detail) }));
    }
});

test.each([
  ['proxy', { case: 'proxy_failing', values: { status: 0 } }],
  ['proxy', { case: 'proxy_failing', values: { status: 407 } }],
  ['delay', { case: 'deliveries_late', values: { late: 3, attempts: 1000, hours: 1 } }],
  ['delay', { case: 'deliveries_late', values: { late: 3, attempts: 1000, hours: 6 } }],
] as const)('the console says what the API has no case for, as e-mails do: %s %j', (subject, told) => {
  const detail: AlertDetail = { ...told, ending: { case: 'cleared' } };
  const shown = { subject, case: null, values: told.values };
  expect(messageOf(shown)).toBe(alertText(detail));
  const ending = { case: 'cleared', text: '', cause: null, waiting: null } as const;
  expect(endingOf({ ...shown, ending }, causeText)).toBe(endingText({ detail, message: alertText(detail) }));
});

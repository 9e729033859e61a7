import { expect, test } from 'vitest';
import { alertText, endingText } from '../../../gateway/alerts/cases.ts';
import { text } from '../../../gateway/console/page/texts/index.ts';
import { setSharedTexts } from '../../../gateway/console/page/texts/shared.ts';
import { causeText, noValues } from '../../../gateway/figures/cause.ts';
import {
  type AlertCase,
  type AlertDetail,
  type AlertEnding,
  type AlertValues,
  alertRuleNames,
} from '../../../gateway/store/tables/alerts.ts';

setSharedTexts(text);
const { endingOf, messageOf } = await import('../../../gateway/console/page/pages/alerts/message.ts');

test('the rules are in the order of the API', () => {
  expect(Object.keys(text.alerts.rule)).toEqual(alertRuleNames);
});

const named = { endpoint: 'ep_1', host: 'till.example.org', description: 'Till' };
const unnamed = { endpoint: 'ep_2', host: 'till.example.org', description: '' };
const details: { [C in AlertCase]: AlertValues[C][] } = {
  endpoint_failing: [named, unnamed],
  endpoint_disabled: [
    { ...named, because: 'gone' },
    { ...unnamed, because: 'failing' },
    { ...unnamed, because: 'operator' },
  ],
  dead_letters: [
    { ...named, deliveries: 1 },
    { ...unnamed, deliveries: 2000 },
  ],
  queue_down: [{}],
  records_lost: [
    { calls: 1, rows: 0 },
    { calls: 2000, rows: 1 },
  ],
  disk_space: [{ megabytes: 69001 }],
  store_down: [{}],
};

test.each(Object.entries(details))('the console says what the API and e-mails say: %s', (name, all) => {
  for (const values of all) {
    const detail = { case: name, values } as AlertDetail;
    expect(messageOf({ ...detail, values: { ...values } as Record<string, string | number> })).toBe(alertText(detail));
  }
});

const deleted = { case: 'deleted', values: { ...noValues, host: 'till.example.org' } } as const;
const endings: AlertEnding[] = [
  { case: 'cleared' },
  { case: 'stopped', cause: deleted },
  { case: 'answers', waiting: 0 },
  { case: 'answers', waiting: 1 },
  { case: 'answers', waiting: 14 },
];
test.each(Object.entries(details))('the console says what ended an alert as the API and e-mails do: %s', (name, all) => {
  for (const values of all)
    for (const ending of 'endpoint' in values ? endings : endings.slice(0, 1)) {
      const detail = { case: name, values, ending } as AlertDetail;
      const shown = { cause: null, waiting: null, ...ending, text: '' } as Parameters<typeof endingOf>[0]['ending'];
      const said = endingOf(
        { case: detail.case, values: { ...values } as Record<string, string | number>, ending: shown },
        causeText,
      );
      expect(said).toBe(endingText(detail));
    }
});

import { expect, test } from 'vitest';
import { text } from '../../../gateway/console/page/texts/index.ts';
import { alertRuleNames } from '../../../gateway/store/tables/alerts.ts';

test('the rules are in the order of the API', () => {
  expect(Object.keys(text.alerts.rule)).toEqual(alertRuleNames);
});

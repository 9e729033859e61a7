import { answer, api, type BodyOf, type paths } from '../../lib/api.ts';
import { Active } from '../../parts/resource/cells.tsx';
import type { Field, Resource } from '../../parts/resource/resource.ts';
import { text } from '../../texts/index.ts';
import { type Channel, type Rule, Severity, severities } from './severity.tsx';

const { rule: texts, rules: words, severity: severityNames } = text.alerts;
const units: Readonly<Record<string, string>> = text.alerts.unit;

type Changes = BodyOf<paths['/alerts/rules/{name}']['put']>;

const noNumber: readonly Field<keyof Changes>[] = [];

const thresholdOf = ({ unit, threshold }: Rule): readonly Field<keyof Changes>[] =>
  unit === null
    ? noNumber
    : [{ name: 'threshold', label: words.fields.threshold(units[unit] ?? unit), kind: 'number', initial: threshold }];

const fieldsOf = (rule: Rule, channels: readonly Channel[]): Field<keyof Changes>[] => [
  { name: 'enabled', label: words.fields.enabled, kind: 'flag', initial: rule.enabled },
  ...thresholdOf(rule),
  { name: 'period_minutes', label: words.fields.period, kind: 'number', initial: rule.period_minutes },
  {
    name: 'quiet_minutes',
    label: words.fields.quiet,
    kind: 'number',
    initial: rule.quiet_minutes,
    help: words.fields.quietHelp,
  },
  {
    name: 'severity',
    label: words.fields.severity,
    kind: 'choice',
    choices: severities,
    labels: severityNames,
    initial: rule.severity,
  },
  {
    name: 'channels',
    label: words.fields.channels,
    kind: 'choices',
    choices: channels.map(({ id }) => id),
    labels: Object.fromEntries(channels.map(({ id, name }) => [id, name])),
    initial: rule.channels,
    optional: true,
    help: channels.length === 0 ? words.fields.noChannel : words.fields.channelsHelp,
  },
];

/** No channel means every one that takes the severity. */
const bodyOf = (values: Changes) => ({ ...values, channels: values.channels?.length ? values.channels : null });

const byName = (name: Rule['name']) => ({ params: { path: { name } } });

function channelsOf({ channels: named }: Rule, channels: readonly Channel[]): string {
  if (named === null) return words.bySeverity;
  return named.map((id) => channels.find((one) => one.id === id)?.name ?? id).join(', ') || words.noChannels;
}

/** When a rule opens. A rule without a threshold does not name it. */
const conditionOf = ({ name, threshold, period_minutes: period }: Rule) => texts[name].opens(threshold ?? 0, period);

export const rulesWith = (channels: readonly Channel[]): Resource<Rule> => ({
  name: 'alert rules',
  title: text.alerts.tabs.rules,
  description: words.description,
  empty: '',
  load: async () => ({ ...(await answer(api.GET('/alerts/rules'))), next: null }),
  idOf: ({ name }) => name,
  titleOf: ({ name }) => texts[name].title,
  columns: [
    { header: words.columns.rule, kind: 'name', cell: ({ name }) => texts[name].title },
    { header: words.columns.state, kind: 'status', cell: ({ enabled }) => <Active is={enabled} words={words} /> },
    { header: words.columns.severity, kind: 'status', cell: ({ severity }) => <Severity of={severity} /> },
    { header: words.columns.opens, cell: conditionOf },
    { header: words.columns.channels, kind: 'short', cell: (rule) => channelsOf(rule, channels) },
  ],
  facts: (rule) => [
    [words.facts.state, <Active key="state" is={rule.enabled} words={words} />],
    [words.facts.severity, <Severity key="severity" of={rule.severity} />],
    [words.facts.opens, conditionOf(rule)],
    [words.facts.over, texts[rule.name].resolves],
    [words.facts.quiet, `${rule.quiet_minutes} min`],
    [words.facts.channels, channelsOf(rule, channels)],
    [words.facts.name, rule.name],
  ],
  actions: [
    {
      label: words.edit,
      fields: (rule) => fieldsOf(rule, channels),
      async run({ name }, values: Changes) {
        const { data } = await answer(api.PUT('/alerts/rules/{name}', { ...byName(name), body: bodyOf(values) }));
        return { message: data.enabled ? words.changed : words.off };
      },
    },
    {
      label: words.reset,
      offered: ({ updated_at: at }) => at !== null,
      async run({ name }) {
        await answer(api.PUT('/alerts/rules/{name}', { ...byName(name), body: {} }));
        return { message: words.isReset };
      },
    },
  ],
});

import { answer, api } from '../../lib/api.ts';
import { Active } from '../../parts/resource/cells.tsx';
import type { Field, Resource, Values } from '../../parts/resource/resource.ts';
import { type Channel, type Rule, Severity, severities } from './severity.tsx';

const noNumber: readonly Field[] = [];

const thresholdOf = ({ unit, threshold }: Rule): readonly Field[] =>
  unit === null ? noNumber : [{ name: 'threshold', label: `Threshold, ${unit}`, kind: 'number', initial: threshold }];

const fieldsOf = (rule: Rule, channels: readonly Channel[]): Field[] => [
  { name: 'enabled', label: 'On', kind: 'flag', initial: rule.enabled },
  ...thresholdOf(rule),
  { name: 'period_minutes', label: 'Period, minutes', kind: 'number', initial: rule.period_minutes },
  {
    name: 'quiet_minutes',
    label: 'Quiet time, minutes',
    kind: 'number',
    initial: rule.quiet_minutes,
    help: 'The same alert is not sent again within this time.',
  },
  { name: 'severity', label: 'Severity', kind: 'choice', choices: severities, initial: rule.severity },
  {
    name: 'channels',
    label: 'Channels',
    kind: 'choices',
    choices: channels.map(({ id }) => id),
    labels: Object.fromEntries(channels.map(({ id, name }) => [id, name])),
    initial: rule.channels,
    optional: true,
    help: channels.length === 0 ? 'There is no channel yet.' : 'None chosen: every channel that takes the severity.',
  },
];

/** No channel means every one that takes the severity. */
const bodyOf = (values: Values) => ({ ...values, channels: (values.channels as string[]).length > 0 ? values.channels : null });

const byName = (name: Rule['name']) => ({ params: { path: { name } } });

function channelsOf({ channels: named }: Rule, channels: readonly Channel[]): string {
  if (named === null) return 'by severity';
  return named.map((id) => channels.find((one) => one.id === id)?.name ?? id).join(', ') || 'none';
}

/** The rules with their numbers. */
export const rulesWith = (channels: readonly Channel[]): Resource<Rule> => ({
  name: 'alert rules',
  title: 'Rules',
  description: 'Each rule is checked every 10 s. Open one to change its numbers, its severity and its channels.',
  empty: '',
  load: async () => ({ ...(await answer(api.GET('/alerts/rules'))), next: null }),
  idOf: ({ name }) => name,
  titleOf: ({ title }) => title,
  columns: [
    { header: 'Rule', width: 230, cell: ({ title }) => title },
    { header: 'State', width: 110, cell: ({ enabled }) => <Active is={enabled} /> },
    { header: 'Severity', width: 100, cell: ({ severity }) => <Severity of={severity} /> },
    { header: 'Opens when', cell: ({ opens }) => opens },
    { header: 'Channels', width: 150, cell: (rule) => channelsOf(rule, channels) },
  ],
  facts: (rule) => [
    ['State', <Active key="state" is={rule.enabled} />],
    ['Severity', <Severity key="severity" of={rule.severity} />],
    ['Opens when', rule.opens],
    ['Over when', rule.resolves],
    ['Quiet time', `${rule.quiet_minutes} min`],
    ['Channels', channelsOf(rule, channels)],
    ['Name in the API', rule.name],
  ],
  actions: [
    {
      label: 'Edit',
      fields: (rule) => fieldsOf(rule, channels),
      async run({ name }, values) {
        const { data } = await answer(api.PUT('/alerts/rules/{name}', { ...byName(name), body: bodyOf(values) as never }));
        return { message: data.enabled ? 'The rule was changed.' : 'The rule is off.' };
      },
    },
    {
      label: 'Back to defaults',
      offered: ({ updated_at: at }) => at !== null,
      async run({ name }) {
        await answer(api.PUT('/alerts/rules/{name}', { ...byName(name), body: {} }));
        return { message: 'The rule has its defaults again.' };
      },
    },
  ],
});

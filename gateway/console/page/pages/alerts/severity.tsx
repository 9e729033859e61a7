import { Badge, type MantineColor } from '@mantine/core';
import type { paths } from '../../lib/api.ts';
import { text } from '../../texts/index.ts';

export type Channel = paths['/alerts/channels']['get']['responses'][200]['content']['application/json']['data'][number];
export type Alert = paths['/alerts']['get']['responses'][200]['content']['application/json']['data'][number];

const colours: Record<Alert['severity'], MantineColor> = { warning: 'yellow', critical: 'red' };

/** From the least to the most severe. */
export const severities = Object.keys(colours) as Alert['severity'][];

export const Severity = ({ of }: { of: Alert['severity'] }) => <Badge color={colours[of]}>{text.alerts.severity[of]}</Badge>;

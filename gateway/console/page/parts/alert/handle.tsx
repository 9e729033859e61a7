import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError, answer, api, dataOf } from '../../lib/api.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/index.ts';
import { ChangeButton } from '../change-button.tsx';
import { type Handled, stateOf } from './handled.tsx';

const words = text.alerts.handling;
const hourMs = 3_600_000;
const snoozeHours = [1, 4, 24];
/** The installation's own token, which the list of operators leaves out. */
const ownName = 'operator';

interface Handling {
  acknowledged?: boolean;
  snoozed_until?: string | null;
  assigned_to?: string | null;
}

/** Acknowledges, snoozes or assigns open alerts. Those of one cause are handled together. */
export function HandleMenu({ of: alerts }: { of: readonly Handled[] }) {
  const { mutate, isPending } = useChange({ run: (body: Handling) => handle(alerts, body), done: words.changed });
  const states = new Set(alerts.map(stateOf));
  return (
    <Menu withinPortal position="bottom-start">
      <Menu.Target>
        <ChangeButton size="compact-xs" loading={isPending}>
          {words.handle}
        </ChangeButton>
      </Menu.Target>
      <Menu.Dropdown>
        {states.has('acknowledged') && (
          <Menu.Item onClick={() => mutate({ acknowledged: false })}>{words.notAcknowledged}</Menu.Item>
        )}
        {(states.size > 1 || !states.has('acknowledged')) && (
          <Menu.Item onClick={() => mutate({ acknowledged: true })}>{words.acknowledge}</Menu.Item>
        )}
        <Menu.Label>{words.snooze}</Menu.Label>
        {snoozeHours.map((hours) => (
          <Menu.Item key={hours} onClick={() => mutate({ snoozed_until: new Date(Date.now() + hours * hourMs).toISOString() })}>
            {words.hours(hours)}
          </Menu.Item>
        ))}
        {states.has('snoozed') && <Menu.Item onClick={() => mutate({ snoozed_until: null })}>{words.endSnooze}</Menu.Item>}
        <Menu.Label>{words.assign}</Menu.Label>
        <Operators choose={(assigned_to) => mutate({ assigned_to })} />
        <Menu.Item onClick={() => mutate({ assigned_to: null })}>{words.nobody}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The operators are read when the menu opens. */
function Operators({ choose }: { choose(name: string): void }) {
  const { data: operators = [] } = useQuery({
    queryKey: ['operators', 'all'],
    queryFn: () => dataOf(api.GET('/operators', { params: { query: { limit: 100 } } })),
  });
  const active = operators.filter((one) => one.active && one.role === 'operator').map(({ name }) => name);
  return [...active.toSorted(), ownName].map((name) => (
    <Menu.Item key={name} onClick={() => choose(name)}>
      {name}
    </Menu.Item>
  ));
}

/** One of several that is over by now needs nothing any more. */
const isOver = (error: unknown) => error instanceof ApiError && error.code === 'alert_over';

async function handle(alerts: readonly Handled[], body: Handling): Promise<void> {
  const change = ({ id }: Handled) => answer(api.PATCH('/alerts/{id}', { params: { path: { id } }, body }));
  const changed = await Promise.allSettled(alerts.map(change));
  const failed = changed.find((one) => one.status === 'rejected' && (alerts.length === 1 || !isOver(one.reason)));
  if (failed?.status === 'rejected') throw failed.reason;
}

import type { FilterValues } from '../../lib/filters.ts';
import { text } from '../../texts/shared.ts';
import { SideDrawer } from '../side-drawer.tsx';
import { RetryForm, type RetryStatus } from './form.tsx';
import { RecoveryProgress } from './progress.tsx';

interface RetryDrawerProps {
  /** Selects deliveries, as the filters of their list do. */
  filter: FilterValues;
  /** The name of the filter's endpoint, if it has one. */
  endpointName?: string | undefined;
  /** False if the filter's endpoint takes no deliveries. */
  isActive?: boolean;
  /** The statuses of what is owed, selected at first unless the filter has one. */
  owed?: readonly RetryStatus[];
  opened: boolean;
  /** The id of the recovery to show. Left out before one is started. */
  recovery: string | undefined;
  show(recoveryId: string): void;
  close(): void;
}

/** Sends deliveries now that would wait or have failed. Counts them first (a dry run), then shows the recovery's progress. */
export function RetryDrawer({
  filter,
  endpointName,
  isActive = true,
  owed = ['pending', 'failed'],
  opened,
  recovery,
  show,
  close,
}: RetryDrawerProps) {
  return (
    <SideDrawer title={recovery === undefined ? text.parts.retry.title : text.parts.retry.recovery} opened={opened} close={close}>
      {recovery === undefined ? (
        <RetryForm filter={filter} endpointName={endpointName} isActive={isActive} owed={owed} show={show} />
      ) : (
        <RecoveryProgress id={recovery} />
      )}
    </SideDrawer>
  );
}

import type { FilterValues } from '../../lib/filters.ts';
import { SideDrawer } from '../side-drawer.tsx';
import { RetryForm } from './form.tsx';
import { RecoveryProgress } from './progress.tsx';

interface RetryDrawerProps {
  /** Selects deliveries, as the filters of their list do. */
  filter: FilterValues;
  /** False if the filter's endpoint takes no deliveries. */
  isActive?: boolean;
  opened: boolean;
  /** The id of the recovery to show. Left out before one is started. */
  recovery: string | undefined;
  show(recoveryId: string): void;
  close(): void;
}

/** Sends deliveries now that would wait or have failed. Counts them first (a dry run), then shows the recovery's progress. */
export function RetryDrawer({ filter, isActive = true, opened, recovery, show, close }: RetryDrawerProps) {
  return (
    <SideDrawer title={recovery === undefined ? 'Retry deliveries now' : 'Recovery'} opened={opened} close={close}>
      {recovery === undefined ? (
        <RetryForm filter={filter} isActive={isActive} show={show} />
      ) : (
        <RecoveryProgress id={recovery} />
      )}
    </SideDrawer>
  );
}

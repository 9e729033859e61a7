import { type FilterValues, useFilters } from '../../lib/filters.ts';
import { text } from '../../texts/shared.ts';
import { SideDrawer } from '../side-drawer.tsx';
import { RetryForm, type RetryStatus } from './form.tsx';
import { RecoveryProgress } from './progress.tsx';

export interface RetryDrawerProps {
  /** Selects deliveries, as the filters of their list do. */
  filter: FilterValues;
  endpointName?: string | undefined;
  /** False if the filter's endpoint takes no deliveries. */
  isActive?: boolean;
  /** The statuses of what is owed, selected at first unless the filter has one. */
  owed?: readonly RetryStatus[] | undefined;
}

/**
 * Sends deliveries now that would wait or have failed. Counts them first (a dry run), then shows the recovery's progress. The
 * address says that it is open (`retry=1`), and the id of the recovery.
 */
export function RetryDrawer({ filter, endpointName, isActive = true, owed = ['pending', 'failed'] }: RetryDrawerProps) {
  const [{ retry, recovery }, change] = useFilters();
  const show = (started: string | undefined) => change({ retry: undefined, recovery: started });
  return (
    <SideDrawer
      title={recovery === undefined ? text.parts.retry.title : text.parts.retry.recovery}
      opened={retry === '1' || recovery !== undefined}
      close={() => show(undefined)}
    >
      {recovery === undefined ? (
        <RetryForm filter={filter} endpointName={endpointName} isActive={isActive} owed={owed} show={show} />
      ) : (
        <RecoveryProgress id={recovery} />
      )}
    </SideDrawer>
  );
}

import { Drawer } from '@mantine/core';
import type { FilterValues } from '../../lib/filters.ts';
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
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      size="lg"
      title={recovery === undefined ? 'Retry deliveries now' : 'Recovery'}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {recovery === undefined ? (
        <RetryForm filter={filter} isActive={isActive} show={show} />
      ) : (
        <RecoveryProgress id={recovery} />
      )}
    </Drawer>
  );
}

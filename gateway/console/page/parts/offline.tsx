import { Alert } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { useMemo, useSyncExternalStore } from 'react';
import { queries } from '../lib/queries.ts';
import { text } from '../texts/shared.ts';
import { IconAlertTriangle } from './icons/tabler.ts';
import { Time } from './time.tsx';

const texts = text.parts.offline;

const useIsOnline = () =>
  useSyncExternalStore(
    (listen) => onlineManager.subscribe(listen),
    () => onlineManager.isOnline(),
  );

/** Says at once that the browser is offline, and from when the figures are: nothing is read until it is online again. */
export function Offline() {
  const isOnline = useIsOnline();
  const readAt = useMemo(() => (isOnline ? 0 : lastReadAt()), [isOnline]);
  if (isOnline) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} />} title={texts.title} role="alert">
      {readAt > 0 && texts.asOf(<Time at={new Date(readAt).toISOString()} />)} {texts.next}
    </Alert>
  );
}

const lastReadAt = () =>
  Math.max(
    0,
    ...queries
      .getQueryCache()
      .findAll({ type: 'active' })
      .map(({ state }) => state.dataUpdatedAt),
  );

import { Badge } from '@mantine/core';
import { count } from '../../lib/format.ts';

/** A badge: active or not. */
export function Active({ is }: { is: boolean }) {
  return (
    <Badge size="sm" variant="light" color={is ? 'teal' : 'gray'} tt="none">
      {is ? 'active' : 'not active'}
    </Badge>
  );
}

export const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

/** An amount with its currency. */
export const money = (amount: number | null, currency = 'XOF') => (amount === null ? '–' : `${count(amount)} ${currency}`);

/** A list of ids. `null` means all. */
export const listed = (ids: readonly (string | number)[] | null) => (ids === null ? 'all' : ids.join(', ') || 'none');

export const activeField = (active: boolean) => ({ name: 'active', label: 'Active', kind: 'flag', initial: active }) as const;

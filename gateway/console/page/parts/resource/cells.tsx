import { Badge } from '@mantine/core';
import { count } from '../../lib/format.ts';

/** Whether something is in use. */
export function Active({ is }: { is: boolean }) {
  return (
    <Badge size="sm" variant="light" color={is ? 'teal' : 'gray'} tt="none">
      {is ? 'active' : 'not active'}
    </Badge>
  );
}

export const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

/** An amount in its currency, as the API gives it. */
export const money = (amount: number | null, currency = 'XOF') => (amount === null ? '–' : `${count(amount)} ${currency}`);

/** Of a list that may name all there is with `null`. */
export const listed = (ids: readonly (string | number)[] | null) => (ids === null ? 'all' : ids.join(', ') || 'none');

export const activeField = (active: boolean) => ({ name: 'active', label: 'Active', kind: 'flag', initial: active }) as const;

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { type Period, periods } from '../../lib/figures.ts';
import { spans } from '../../lib/filters.ts';
import { shortCount } from '../../lib/format.ts';

/** Counts up to one page of the list. */
const maxCount = 100;

export interface DeadLetters {
  count: number;
  /** True if there are more than `count`. */
  more: boolean;
}

/** The dead letters of a period, without those that were recovered since. */
export function useDeadLetters(period: Period): DeadLetters | undefined {
  const read = useQuery({
    queryKey: ['overview', 'dead letters', period],
    queryFn: async () => {
      const { ms } = spans[periods[period].since as keyof typeof spans];
      const query = { status: 'failed' as const, from: new Date(Date.now() - ms).toISOString(), limit: maxCount };
      const { data, next } = await answer(api.GET('/deliveries', { params: { query } }));
      return { count: data.length, more: next !== null };
    },
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
  });
  return read.data;
}

export const formatDeadLetters = ({ count, more }: DeadLetters) => `${shortCount(count)}${more ? '+' : ''}`;

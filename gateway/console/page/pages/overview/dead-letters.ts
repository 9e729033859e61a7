import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { answer, api } from '../../lib/api.ts';
import { type Period, periods } from '../../lib/figures.ts';
import { spans } from '../../lib/filters.ts';
import { shortCount } from '../../lib/format.ts';

/** Counted no further than one page of the list. */
const counted = 100;

export interface DeadLetters {
  count: number;
  /** There are more than were counted. */
  more: boolean;
}

/** Dead letters of the period that stand: one that was recovered since is none any more. */
export function useDeadLetters(period: Period): DeadLetters | undefined {
  const read = useQuery({
    queryKey: ['overview', 'dead letters', period],
    queryFn: async () => {
      const { ms } = spans[periods[period].since as keyof typeof spans];
      const query = { status: 'failed' as const, from: new Date(Date.now() - ms).toISOString(), limit: counted };
      const { data, next } = await answer(api.GET('/deliveries', { params: { query } }));
      return { count: data.length, more: next !== null };
    },
    refetchInterval: 5000,
    placeholderData: keepPreviousData,
  });
  return read.data;
}

export const writeDeadLetters = ({ count, more }: DeadLetters) => `${shortCount(count)}${more ? '+' : ''}`;

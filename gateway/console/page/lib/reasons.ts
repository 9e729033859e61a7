import { useQuery } from '@tanstack/react-query';
import { answer, api, type paths } from './api.ts';

export type Reason = paths['/reasons']['get']['responses'][200]['content']['application/json']['data'][number];

/** Why a delivery can stand where it stands: what each error class means, and what to do. */
export function useReasons(): readonly Reason[] {
  const reasons = useQuery({
    queryKey: ['reasons'],
    queryFn: async () => (await answer(api.GET('/reasons'))).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return reasons.data ?? none;
}

const none: readonly Reason[] = [];

import { useQuery } from '@tanstack/react-query';
import { text } from '../texts/shared.ts';
import { answer, api, type paths } from './api.ts';
import { words } from './format.ts';

export type Reason = paths['/reasons']['get']['responses'][200]['content']['application/json']['data'][number];

/** The reasons a delivery can have, each with its meaning and advice. */
export function useReasons(): readonly Reason[] {
  const reasons = useQuery({
    queryKey: ['reasons'],
    queryFn: async () =>
      (await answer(api.GET('/reasons'))).data.map((one) => ({
        ...one,
        ...text.server.reasons[one.reason],
        ...text.parts.reasons[one.reason],
      })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return reasons.data ?? none;
}

const none: readonly Reason[] = [];

/** The reason's title, or its code in words if it is not known. */
export const titleOfReason = (reasons: readonly Reason[], code: string) =>
  reasons.find(({ reason }) => reason === code)?.title ?? words(code);

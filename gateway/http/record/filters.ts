import { z } from 'zod';

/** Filters that mean the same for the calls of `/manage/v1/calls` and for those of a stub's journal. */
export const callFilters = {
  /** In any case; parsed to capitals. */
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/, 'must be a method such as POST')
    .transform((method) => method.toUpperCase()),
  status: z.string().regex(/^([1-5]xx|[1-5][0-9]{2})$/, 'must be a status such as 404 or a class such as 4xx'),
};

/** The statuses that a filter such as `404`, 404 or `4xx` includes: from `from`, below `below`. */
export function statusesOf(filter: string | number): { from: number; below: number } {
  const text = String(filter);
  if (!text.endsWith('xx')) return { from: Number(text), below: Number(text) + 1 };
  const from = Number(text[0]) * 100;
  return { from, below: from + 100 };
}

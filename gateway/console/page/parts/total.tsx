import type { FilterValues } from '../lib/filters.ts';
import { type ListName, useCount, wordsOfCount } from '../lib/listed.ts';
import { text } from '../texts/shared.ts';
import { Time } from './time.tsx';

/** How many rows of the list match. */
export function Total({ list, values, live = false }: { list: ListName; values: FilterValues; live?: boolean }) {
  const counted = useCount(list, values, live);
  if (!counted) return <>{text.parts.counting}</>;
  const amount = wordsOfCount(list, counted);
  if (counted.searched_to === null) return <>{amount}</>;
  return text.parts.countedBackTo(amount, <Time at={counted.searched_to} />);
}

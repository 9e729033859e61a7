import type { FilterValues } from '../lib/filters.ts';
import { type ListName, useCount, wordsOfCount } from '../lib/listed.ts';
import { Time } from './time.tsx';

/** How many rows of the list match. */
export function Total({ list, values, live = false }: { list: ListName; values: FilterValues; live?: boolean }) {
  const counted = useCount(list, values, live);
  if (!counted) return <>Counting …</>;
  return (
    <>
      {wordsOfCount(list, counted)}
      {counted.searched_to !== null && (
        <>
          , counted back to <Time at={counted.searched_to} />
        </>
      )}
    </>
  );
}

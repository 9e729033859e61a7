import { useHotkeys } from '@mantine/hooks';
import { useLocation } from 'wouter';

let remembered: readonly string[] = [];

/** A list says which pages its rows lead to, so that those pages know what comes next. */
export function rememberRows(hrefs: readonly string[]): void {
  remembered = hrefs;
}

export interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
}

/** The pages before and after this one in the list that one came from; `p` and `n` go there. */
export function useNeighbours(): Neighbours {
  const [location, navigate] = useLocation();
  const at = remembered.indexOf(location);
  const previous = at > 0 ? remembered[at - 1] : undefined;
  const next = at >= 0 ? remembered[at + 1] : undefined;
  const go = (href: string | undefined) => () => {
    if (href !== undefined) navigate(href);
  };
  useHotkeys([
    ['n', go(next)],
    ['p', go(previous)],
  ]);
  return { previous, next };
}

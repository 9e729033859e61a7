import { useHotkeys } from '@mantine/hooks';
import { useLocation } from 'wouter';

/** The last list of each kind of page, by the first part of the address: an event's deliveries leave the events as they are. */
const remembered = new Map<string, readonly string[]>();
const kindOf = (href: string) => href.split('/')[1] ?? '';

/** A list says which pages its rows lead to, so that those pages know what comes next. */
export function rememberRows(hrefs: readonly string[]): void {
  const [first] = hrefs;
  if (first !== undefined) remembered.set(kindOf(first), hrefs);
}

export interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
}

/** The pages before and after this one in the list that one came from; `p` and `n` go there. */
export function useNeighbours(): Neighbours {
  const [location, navigate] = useLocation();
  const hrefs = remembered.get(kindOf(location)) ?? [];
  const at = hrefs.indexOf(location);
  const previous = at > 0 ? hrefs[at - 1] : undefined;
  const next = at >= 0 ? hrefs[at + 1] : undefined;
  const go = (href: string | undefined) => () => {
    if (href !== undefined) navigate(href);
  };
  useHotkeys([
    ['n', go(next)],
    ['p', go(previous)],
  ]);
  return { previous, next };
}

import { useHotkeys } from '@mantine/hooks';
import { useLocation } from 'wouter';

/** The links of the last list shown, by the first part of their path: `deliveries`, `events`, ... */
const remembered = new Map<string, readonly string[]>();
const kindOf = (href: string) => href.split('/')[1] ?? '';

/** Stores the links of a list's rows, so that their pages can go to the next and previous row. */
export function rememberLinks(hrefs: readonly string[]): void {
  const [first] = hrefs;
  if (first !== undefined) remembered.set(kindOf(first), hrefs);
}

export interface Neighbours {
  previous: string | undefined;
  next: string | undefined;
}

/** The pages before and after this one in the last list. The keys `p` and `n` open them. */
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

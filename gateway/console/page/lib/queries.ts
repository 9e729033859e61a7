import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

export const sessionKey = ['session'];

/** The cache of everything read. Cached data stays on the screen while it is read again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1000,
      // Only an unreachable or unavailable gateway is worth another try.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
});

/** Removes everything that was read, so that the next to sign in does not see it. */
export const clearReads = () => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });

const left = new EventTarget();

/** Forgets the session and everything that was read in it. */
export function endSession(): void {
  queries.setQueryData(sessionKey, null);
  clearReads();
  left.dispatchEvent(new Event('left'));
}

/** Calls `listen` after each sign-out in this tab. Returns a function that stops it. */
export function onLeft(listen: () => void): () => void {
  left.addEventListener('left', listen);
  return () => left.removeEventListener('left', listen);
}

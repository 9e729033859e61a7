import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

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

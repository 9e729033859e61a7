import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

/** What was read stays on the screen while it is read again, so that nothing blinks. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 1000,
      // A refusal stays a refusal; only what could not be reached is worth another try.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
});

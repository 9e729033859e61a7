import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError, onSignedOut } from './api.ts';
import { clearReads, onLeft, queries, sessionKey } from './queries.ts';

/** Why the session ended, if there was one: by itself, or by a sign-out in another tab. */
export type Ended = 'expired' | 'signed out' | null;

/** What a page knows about its viewer's session. */
interface SignIn<S> {
  /** Null without a session, undefined while it is read. */
  session: S | null | undefined;
  ended: Ended;
  /** The error if the session could not be read; null if there is just no session. */
  unreachable: ApiError | null;
  /** Shows the page to whom this session belongs. */
  signedIn(session: S): void;
}

/**
 * Reads the session once, and follows it: every 401 ends it. While another session is being opened, the present one is not read.
 */
export function useSignIn<S>(read: () => Promise<S>, { isOpening = false } = {}): SignIn<S> {
  const [ended, setEnded] = useState<Ended>(null);
  const query = useQuery({
    queryKey: sessionKey,
    queryFn: read,
    // Its 401, arriving late, would end the session that was opened.
    enabled: !isOpening,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  useEffect(
    () =>
      onSignedOut((isExpired) => {
        // Null after a sign-out in this tab, undefined before the first answer.
        const before = queries.getQueryData(sessionKey);
        if (before !== null && isExpired) setEnded('expired');
        else if (before) setEnded('signed out');
        queries.setQueryData(sessionKey, null);
      }),
    [],
  );
  // A request that ran during the viewer's sign-out may have been refused first. Then `ended` is set, although nothing ended by
  // itself.
  useEffect(() => onLeft(() => setEnded(null)), []);
  const { error } = query;
  return {
    session: query.isPending ? undefined : (query.data ?? null),
    ended,
    unreachable: error instanceof ApiError && error.status !== 401 ? error : null,
    signedIn(session) {
      setEnded(null);
      clearReads();
      queries.setQueryData(sessionKey, session);
    },
  };
}

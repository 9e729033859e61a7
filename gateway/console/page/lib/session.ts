import { createContext, useContext } from 'react';
import { answer, api, type paths } from './api.ts';
import { queries } from './queries.ts';

export type Session = paths['/session']['get']['responses'][200]['content']['application/json']['data'];

export const SessionContext = createContext<Session | null>(null);

export const sessionKey = ['session'];

/** The signed-in operator's session. Throws outside of `SessionGate`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is called outside of SessionGate.');
  return session;
}

/** Returns true if the signed-in operator may change things. A viewer may not. */
export const useMayChange = () => useSession().operator.role === 'operator';

/** Removes everything that was read, so that the next operator does not see it. */
export const clearReads = () => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });

export async function signOut(): Promise<void> {
  await answer(api.DELETE('/session'));
  queries.setQueryData(sessionKey, null);
  clearReads();
}

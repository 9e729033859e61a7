import { createContext, useContext } from 'react';
import { answer, api, type paths } from './api.ts';
import { endSession } from './queries.ts';

export type Session = paths['/session']['get']['responses'][200]['content']['application/json']['data'];

export const SessionContext = createContext<Session | null>(null);

/** The signed-in operator's session. Throws outside of `SessionGate`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is called outside of SessionGate.');
  return session;
}

export async function signOut(): Promise<void> {
  await answer(api.DELETE('/session'));
  endSession();
}

import { createContext, useContext } from 'react';
import { endSession } from '../../page/lib/queries.ts';
import { answer, callAs, dataOf, type paths, profile } from './api.ts';

export type Session = paths['/session']['get']['responses'][200]['content']['application/json']['data'];

export const SessionContext = createContext<Session | null>(null);

/** The signed-in partner's session. Throws outside of `SessionGate`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is called outside of SessionGate.');
  return session;
}

export type Credential = paths['/session']['post']['requestBody']['content']['application/json'];

const entered = (session: Session): Session => {
  callAs(session.owner);
  return session;
};

export const readSession = async (): Promise<Session> => entered(await dataOf(profile.GET('/session')));

export async function openSession(body: Credential): Promise<Session> {
  const { data } = await answer(profile.POST('/session', { body }));
  tellOtherTabs();
  return entered(data);
}

export async function signOut(): Promise<void> {
  await answer(profile.DELETE('/session'));
  tellOtherTabs();
  endSession();
}

/** The API reference shows a partner's own values, in every tab of this browser (`gateway/docs/reference/own.js`). */
function tellOtherTabs(): void {
  const tabs = new BroadcastChannel('passerelle-profile');
  tabs.postMessage('changed');
  tabs.close();
}

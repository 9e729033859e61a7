import { type ReactNode, useEffect, useState } from 'react';
import { PermissionContext } from '../page/lib/may-change.ts';
import { useSignIn } from '../page/lib/sign-in.ts';
import { goBack } from './lib/after-sign-in.ts';
import { onReplaced } from './lib/api.ts';
import { takeLinkSecret } from './lib/link.ts';
import { readSession, SessionContext } from './lib/session.ts';
import { LinkSignIn, Replaced, SignIn } from './sign-in.tsx';

/** A link signs in even if somebody is signed in: who opened it wants to be the one it was made for. */
const secretAtStart = takeLinkSecret();

/** Shows its children to a signed-in partner, and the sign-in form otherwise. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [linkSecret, setLinkSecret] = useState(secretAtStart);
  const { session, ended, unreachable, signedIn } = useSignIn(readSession, { isOpening: linkSecret !== undefined });
  const [isReplaced, setReplaced] = useState(false);
  useEffect(() => onReplaced(() => setReplaced(true)), []);
  useEffect(() => {
    // The link may be pasted into the address of an open page.
    const take = () => setLinkSecret((before) => takeLinkSecret() ?? before);
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);
  if (linkSecret !== undefined)
    return (
      <LinkSignIn
        key={linkSecret}
        secret={linkSecret}
        signedIn={(opened) => {
          setLinkSecret(undefined);
          setReplaced(false);
          signedIn(opened);
        }}
        giveUp={() => setLinkSecret(undefined)}
      />
    );
  if (isReplaced) return <Replaced />;
  if (session)
    return (
      <SessionContext value={session}>
        <PermissionContext value={session.read_only ? 'buttons left out' : 'may change'}>{children}</PermissionContext>
      </SessionContext>
    );
  if (session === undefined) return null;
  return <SignIn ended={ended} unreachable={unreachable} signedIn={(opened) => goBack() || signedIn(opened)} />;
}

import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, api, dataOf, messageOf } from './lib/api.ts';
import { PermissionContext } from './lib/may-change.ts';
import { queries, sessionKey } from './lib/queries.ts';
import { type Session, SessionContext } from './lib/session.ts';
import { type Ended, useSignIn } from './lib/sign-in.ts';
import { askStub, isStub, keepToken } from './lib/stub.ts';
import { Hint } from './parts/hint.tsx';
import { SignInCard, WhyToSignIn } from './parts/sign-in-card.tsx';
import { SubmitForm } from './parts/submit-form.tsx';
import { text } from './texts/index.ts';

const texts = text.signIn;

/** Shows its children to a signed-in operator, and the sign-in form otherwise. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { session, ended, unreachable, signedIn } = useSignIn(isStub ? readStubSession : readSession);
  const isLost = isStub && session === null && ended !== null;
  useEffect(() => {
    // The stub's clock was advanced, or the stub was restarted.
    if (isLost) void queries.refetchQueries({ queryKey: sessionKey });
  }, [isLost]);
  if (session)
    return (
      <SessionContext value={session}>
        <PermissionContext value={session.operator.role === 'operator' ? 'may change' : 'buttons disabled'}>
          {children}
        </PermissionContext>
      </SessionContext>
    );
  if (session === undefined) return null;
  return <SignIn ended={ended} unreachable={unreachable} signedIn={signedIn} />;
}

const readSession = () => dataOf(api.GET('/session'));
const openSession = (credential: string) => dataOf(api.POST('/session', { body: { credential } }));

/** Opens a session without asking: a stub tells its own page the operator token, if the page is on the stub's machine. */
async function readStubSession(): Promise<Session> {
  const { data: open } = await api.GET('/session').catch(() => ({ data: undefined }));
  if (open) return open.data;
  const { operatorToken } = await askStub<{ operatorToken: string }>('').catch((error: ApiError) => {
    throw error.status === 403 ? new ApiError({ status: 401, code: error.code, message: error.message }) : error;
  });
  return openSession(operatorToken);
}

interface SignInProps {
  ended: Ended;
  unreachable: ApiError | null;
  signedIn(session: Session): void;
}

function SignIn({ ended, unreachable, signedIn }: SignInProps) {
  const [credential, setCredential] = useState('');
  const attempt = useMutation({
    mutationFn: () => openSession(credential.trim()),
    onSuccess(session) {
      if (isStub) keepToken(credential.trim());
      signedIn(session);
    },
  });
  return (
    <SignInCard title={texts.title}>
      <SubmitForm submit={() => attempt.mutate()}>
        <Stack>
          <WhyToSignIn ended={attempt.error ? null : ended} unreachable={unreachable} />
          <PasswordInput
            label={texts.credential}
            description={texts.whichCredential}
            value={credential}
            onChange={(event) => setCredential(event.currentTarget.value)}
            autoComplete="current-password"
            autoFocus
            required
            error={attempt.error ? refusalText(attempt.error) : undefined}
          />
          <Button type="submit" loading={attempt.isPending}>
            {texts.submit}
          </Button>
          <Hint size="xs">{texts.lost}</Hint>
        </Stack>
      </SubmitForm>
    </SignInCard>
  );
}

const refusalText = (error: Error): ReactNode =>
  error instanceof ApiError && error.status === 401 ? texts.wrong : messageOf(error);

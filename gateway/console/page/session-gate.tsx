import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ApiError, answer, api, messageOf } from './lib/api.ts';
import { PermissionContext } from './lib/may-change.ts';
import { type Session, SessionContext } from './lib/session.ts';
import { type Ended, useSignIn } from './lib/sign-in.ts';
import { SignInCard, WhyToSignIn } from './parts/sign-in-card.tsx';
import { text } from './texts/index.ts';

const texts = text.signIn;

/** Shows its children to a signed-in operator, and the sign-in form otherwise. */
export function SessionGate({ children }: { children: ReactNode }) {
  const { session, ended, unreachable, signedIn } = useSignIn(readSession);
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

const readSession = async () => (await answer(api.GET('/session'))).data;

interface SignInProps {
  ended: Ended;
  unreachable: ApiError | null;
  signedIn(session: Session): void;
}

function SignIn({ ended, unreachable, signedIn }: SignInProps) {
  const [credential, setCredential] = useState('');
  const attempt = useMutation({
    mutationFn: async () => (await answer(api.POST('/session', { body: { credential: credential.trim() } }))).data,
    onSuccess: signedIn,
  });
  return (
    <SignInCard title={texts.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          attempt.mutate();
        }}
      >
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
          <Text size="xs" c="dimmed">
            {texts.lost}
          </Text>
        </Stack>
      </form>
    </SignInCard>
  );
}

const refusalText = (error: Error): ReactNode =>
  error instanceof ApiError && error.status === 401 ? texts.wrong : messageOf(error);

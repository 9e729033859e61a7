import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, answer, api, onSignedOut } from './lib/api.ts';
import { queries } from './lib/queries.ts';
import { clearReads, type Session, SessionContext, sessionKey } from './lib/session.ts';
import { Logo } from './parts/logo.tsx';

/** Shows its children to a signed-in operator, and the sign-in form otherwise. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [expired, setExpired] = useState(false);
  const session = useQuery({
    queryKey: sessionKey,
    queryFn: async () => (await answer(api.GET('/session'))).data,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  useEffect(
    () =>
      onSignedOut((isExpired) => {
        setExpired((before) => before || isExpired);
        queries.setQueryData(sessionKey, null);
      }),
    [],
  );
  if (session.data) return <SessionContext value={session.data}>{children}</SessionContext>;
  if (session.isPending) return null;
  const unreachable = session.error instanceof ApiError && session.error.status !== 401 ? session.error : null;
  return (
    <SignIn
      expired={expired}
      unreachable={unreachable}
      signedIn={(session) => {
        setExpired(false);
        clearReads();
        queries.setQueryData(sessionKey, session);
      }}
    />
  );
}

interface SignInProps {
  expired: boolean;
  unreachable: ApiError | null;
  signedIn(session: Session): void;
}

function SignIn({ expired, unreachable, signedIn }: SignInProps) {
  const [credential, setCredential] = useState('');
  const attempt = useMutation({
    mutationFn: async () => (await answer(api.POST('/session', { body: { credential: credential.trim() } }))).data,
    onSuccess: signedIn,
  });
  return (
    <Center mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p="xl" w="100%" maw={420} component="main">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            attempt.mutate();
          }}
        >
          <Stack>
            <Logo />
            <Title order={1} size="h3">
              Sign in
            </Title>
            {expired && !attempt.error && (
              <Alert color="yellow" title="Your session has ended">
                Sign in again to return to this page.
              </Alert>
            )}
            {unreachable && (
              <Alert color="red" title="The gateway cannot answer">
                {unreachable.message}
              </Alert>
            )}
            <PasswordInput
              label="Credential"
              description="The operator token that the gateway printed at startup, or a credential that an operator created for you."
              value={credential}
              onChange={(event) => setCredential(event.currentTarget.value)}
              autoComplete="current-password"
              autoFocus
              required
              error={attempt.error ? refusalText(attempt.error) : undefined}
            />
            <Button type="submit" loading={attempt.isPending}>
              Sign in
            </Button>
            <Text size="xs" c="dimmed">
              Lost it? The startup message shows it if the gateway has demo data. Otherwise it is the value of OPERATOR_TOKEN.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

function refusalText(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 401) return 'No operator has this credential. Check that you copied all of it.';
  return error.message;
}

import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { ApiError, answer, api, onSignedOut, type paths } from './lib/api.ts';
import { queries } from './lib/queries.ts';
import { Mark } from './parts/mark.tsx';

type Session = paths['/session']['get']['responses'][200]['content']['application/json']['data'];

const SessionContext = createContext<Session | null>(null);

/** Who looks at this page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is a session wherever the console is shown.');
  return session;
}

/** Whether who looks may change something: a viewer may not. */
export const useMayChange = () => useSession().operator.role === 'operator';

const sessionKey = ['session'];

/** Shows the console to who is signed in, and the way in to everybody else. */
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
      signedIn={(made) => {
        setExpired(false);
        forgetWhatWasRead();
        queries.setQueryData(sessionKey, made);
      }}
    />
  );
}

/** What one operator read is not shown to the next. */
const forgetWhatWasRead = () => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });

export async function signOut(): Promise<void> {
  await answer(api.DELETE('/session'));
  queries.setQueryData(sessionKey, null);
  forgetWhatWasRead();
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
            <Mark />
            <Title order={1} size="h3">
              Sign in
            </Title>
            {expired && !attempt.error && (
              <Alert color="yellow" title="Your session has ended">
                Sign in again: you come back to where you were.
              </Alert>
            )}
            {unreachable && (
              <Alert color="red" title="The gateway does not answer as it should">
                {unreachable.message}
              </Alert>
            )}
            <PasswordInput
              label="Credential"
              description="The operator token that the gateway printed at its start, or a credential that an operator made for you."
              value={credential}
              onChange={(event) => setCredential(event.currentTarget.value)}
              autoComplete="current-password"
              autoFocus
              required
              error={attempt.error ? whyRefused(attempt.error) : undefined}
            />
            <Button type="submit" loading={attempt.isPending}>
              Sign in
            </Button>
            <Text size="xs" c="dimmed">
              Lost it? With demo data it is in the start-up message; otherwise it is the value of OPERATOR_TOKEN.
            </Text>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

function whyRefused(error: Error): string {
  if (!(error instanceof ApiError)) return error.message;
  if (error.status === 401) return 'No operator has this credential. Mind that it was copied whole.';
  return error.message;
}

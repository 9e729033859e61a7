import { Alert, Center, Group, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { type ApiError, messageOf } from '../lib/api.ts';
import type { Ended } from '../lib/sign-in.ts';
import { text } from '../texts/shared.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './logo.tsx';

const texts = text.frame.session;

/** The page of a viewer who is not signed in. */
export function SignInCard({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Passerelle`;
  }, [title]);
  return (
    <Center mih="100dvh" p="md">
      <Paper withBorder shadow="sm" p={{ base: 'md', sm: 'xl' }} w="100%" maw={460} component="main">
        <Stack>
          <Group justify="space-between">
            <Logo />
            <LanguageSwitch />
          </Group>
          <Title order={1} size="h3">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}

export const WhyToSignIn = ({ ended, unreachable }: { ended: Ended; unreachable: ApiError | null }) => (
  <>
    {ended && (
      <Alert color="yellow" title={texts.ended[ended]}>
        {texts.again}
      </Alert>
    )}
    {unreachable && (
      <Alert color="red" title={texts.unavailable}>
        {messageOf(unreachable)}
      </Alert>
    )}
  </>
);

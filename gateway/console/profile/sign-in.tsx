import { Alert, Anchor, Button, Group, Loader, PasswordInput, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Ended } from '../page/lib/sign-in.ts';
import { Hint } from '../page/parts/hint.tsx';
import { SignInCard, WhyToSignIn } from '../page/parts/sign-in-card.tsx';
import { SubmitForm } from '../page/parts/submit-form.tsx';
import { type ApiError, messageOf } from './lib/api.ts';
import { secretOfLink } from './lib/link.ts';
import { type Credential, openSession, type Session } from './lib/session.ts';
import { text } from './texts/index.ts';

const texts = text.signIn;

interface Kind {
  fields: readonly { name: string; label: string; help?: string; hidden: boolean }[];
  credential(typed: Readonly<Record<string, string>>): Credential;
}

/** The ways to sign in, with the fields of their forms. */
const kinds = {
  key: {
    fields: [
      { name: 'api_key', label: texts.apiKey, hidden: false },
      { name: 'api_secret', label: texts.apiSecret, hidden: true },
    ],
    credential: ({ api_key = '', api_secret = '' }) => ({ api_key, api_secret }),
  },
  token: {
    fields: [{ name: 'token', label: texts.token, help: texts.tokenHelp, hidden: true }],
    credential: ({ token = '' }) => ({ token }),
  },
  link: {
    fields: [{ name: 'link', label: texts.link, help: texts.linkHelp, hidden: true }],
    credential: ({ link = '' }) => ({ link_secret: secretOfLink(link) ?? link }),
  },
} satisfies Record<string, Kind>;
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

interface SignInProps {
  ended: Ended;
  unreachable: ApiError | null;
  signedIn(session: Session): void;
}

/** The sign-in page: a form for each kind of credential. */
export const SignIn = ({ ended, unreachable, signedIn }: SignInProps) => (
  <Card>
    <WhyToSignIn ended={ended} unreachable={unreachable} />
    <Text size="sm">{texts.intro}</Text>
    <Tabs defaultValue="key" keepMounted={false}>
      <Tabs.List grow aria-label={texts.with} mb="md">
        {kindNames.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {texts.kinds[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {kindNames.map((name) => (
        <Tabs.Panel key={name} value={name}>
          <Form kind={kinds[name]} signedIn={signedIn} />
        </Tabs.Panel>
      ))}
    </Tabs>
    <Hint size="xs">{texts.lost}</Hint>
  </Card>
);

function Form({ kind: { fields, credential }, signedIn }: { kind: Kind; signedIn(session: Session): void }) {
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const attempt = useMutation({ gcTime: 0, mutationFn: () => openSession(credential(typed)), onSuccess: signedIn });
  return (
    <SubmitForm submit={() => attempt.mutate()}>
      <Stack>
        {fields.map(({ name, label, help, hidden }, index) => {
          const Input = hidden ? PasswordInput : TextInput;
          return (
            <Input
              key={name}
              label={label}
              description={help}
              value={typed[name] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setTyped((before) => ({ ...before, [name]: value.trim() }));
              }}
              autoComplete={hidden ? 'current-password' : 'username'}
              autoFocus={index === 0}
              required
              error={index === fields.length - 1 && attempt.error ? messageOf(attempt.error) : undefined}
            />
          );
        })}
        <Button type="submit" loading={attempt.isPending}>
          {texts.submit}
        </Button>
      </Stack>
    </SubmitForm>
  );
}

interface LinkSignInProps {
  secret: string;
  signedIn(session: Session): void;
  /** Shows what is shown without the link. */
  giveUp(): void;
}

export function LinkSignIn({ secret, signedIn, giveUp }: LinkSignInProps) {
  const attempt = useMutation({ gcTime: 0, mutationFn: () => openSession({ link_secret: secret }), onSuccess: signedIn });
  const { mutate } = attempt;
  // A link works once, so that a second effect must not use it again.
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    mutate();
  }, [mutate]);
  return (
    <Card>
      {attempt.error ? (
        <>
          <Alert color="red" title={texts.linkFailed} role="alert">
            {messageOf(attempt.error)}
          </Alert>
          <Button variant="default" onClick={giveUp}>
            {texts.title}
          </Button>
        </>
      ) : (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">{texts.linkOpening}</Text>
        </Group>
      )}
    </Card>
  );
}

/** Shown when another tab signed in another partner: this tab's partner can do nothing any more. */
export const Replaced = () => (
  <Card title={texts.replaced.title}>
    <Alert color="yellow" role="alert">
      {texts.replaced.what}
    </Alert>
    <Button component="a" href="/profile">
      {texts.replaced.go}
    </Button>
  </Card>
);

const Card = ({ title = texts.title, children }: { title?: string; children: ReactNode }) => (
  <SignInCard title={title}>
    {children}
    <Anchor href="/docs" size="xs" underline="always">
      {texts.docs}
    </Anchor>
  </SignInCard>
);

import { Group, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { text } from '../../texts/shared.ts';

const texts = text.parts.endpointForm;

/** What a receiver asks for beside the signature, as the API takes it. A value of null keeps the stored one. */
export interface Credentials {
  headers: Record<string, string | null>;
  basic: { username: string; password: string | null } | null;
}

interface CredentialsFieldsProps {
  credentials: Credentials | null;
  set(credentials: Credentials | null): void;
  errorOf(name: string): ReactNode;
}

/** The fields of an endpoint's credentials. What is not typed again is kept. */
export function CredentialsFields({ credentials, set, errorOf }: CredentialsFieldsProps) {
  const { headers, basic } = credentials ?? none;
  const [typed, setTyped] = useState(linesOf(headers));
  const change = (changed: Partial<Credentials>) => {
    const all = { headers, basic, ...changed };
    set(!all.basic && Object.keys(all.headers).length === 0 ? null : all);
  };
  return (
    <>
      <Textarea
        label={texts.headers}
        description={texts.headersHelp}
        placeholder="X-Api-Key: …"
        classNames={{ input: 'mono' }}
        spellCheck={false}
        autosize
        minRows={1}
        maxRows={10}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          change({ headers: headersIn(event.currentTarget.value) });
        }}
        error={errorOf('credentials.headers') ?? errorOf('credentials')}
      />
      <Group grow align="flex-start">
        <TextInput
          label={texts.basicName}
          description={texts.basicNameHelp}
          autoComplete="off"
          value={basic?.username ?? ''}
          onChange={({ currentTarget: { value } }) =>
            change({ basic: value === '' ? null : { username: value, password: basic?.password ?? null } })
          }
          error={errorOf('credentials.basic.username')}
        />
        <PasswordInput
          label={texts.basicPassword}
          description={texts.basicPasswordHelp}
          autoComplete="new-password"
          disabled={basic === null}
          value={basic?.password ?? ''}
          onChange={({ currentTarget: { value } }) => basic && change({ basic: { ...basic, password: value || null } })}
          error={errorOf('credentials.basic.password')}
        />
      </Group>
    </>
  );
}

const none: Credentials = { headers: {}, basic: null };

const linesOf = (headers: Credentials['headers']) =>
  Object.keys(headers)
    .map((name) => `${name}:`)
    .join('\n');

/** A line is a name, a colon and a value. Without a value, the stored one is kept. */
const headersIn = (lines: string): Credentials['headers'] =>
  Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...value] = line.split(':');
        return [name.trim(), value.join(':').trim() || null];
      }),
  );

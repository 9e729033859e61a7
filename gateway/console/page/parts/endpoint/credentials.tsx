import { Group, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { labelled } from '../../lib/filters.ts';
import { text } from '../../texts/shared.ts';

const texts = text.parts.endpointForm;

/** What a receiver asks for beside the signature, as the API takes it. A value of null keeps the stored one. */
export interface Credentials {
  headers: Record<string, string | null>;
  basic: { username: string; password: string | null } | null;
  oauth2: OAuth2 | null;
}

interface OAuth2 {
  token_url: string;
  client_id: string;
  client_secret: string | null;
  scope: string | null;
  audience: string | null;
  client_auth: 'basic' | 'body';
}

interface CredentialsFieldsProps {
  credentials: Credentials | null;
  set(credentials: Credentials | null): void;
  errorOf(name: string): ReactNode;
}

/** The fields of an endpoint's credentials. What is not typed again is kept. */
export function CredentialsFields({ credentials, set, errorOf }: CredentialsFieldsProps) {
  const { headers, basic, oauth2 } = credentials ?? none;
  const [typed, setTyped] = useState(linesOf(headers));
  const change = (changed: Partial<Credentials>) => {
    const all = { headers, basic, oauth2, ...changed };
    set(!all.basic && !all.oauth2 && Object.keys(all.headers).length === 0 ? null : all);
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
      <OAuth2Fields oauth2={oauth2} set={(changed) => change({ oauth2: changed })} errorOf={errorOf} />
    </>
  );
}

const none: Credentials = { headers: {}, basic: null, oauth2: null };

const newClient = { client_id: '', client_secret: null, scope: null, audience: null, client_auth: 'basic' } as const;

interface OAuth2FieldsProps extends Pick<CredentialsFieldsProps, 'errorOf'> {
  oauth2: OAuth2 | null;
  set(oauth2: OAuth2 | null): void;
}

/** The token server is asked for first: without it there are no other fields. */
function OAuth2Fields({ oauth2, set, errorOf }: OAuth2FieldsProps) {
  const textField = (name: 'client_id' | 'scope' | 'audience', label: string) =>
    oauth2 && (
      <TextInput
        label={label}
        autoComplete="off"
        value={oauth2[name] ?? ''}
        onChange={({ currentTarget: { value } }) => set({ ...oauth2, [name]: value || (name === 'client_id' ? '' : null) })}
        error={errorOf(`credentials.oauth2.${name}`)}
      />
    );
  return (
    <>
      <TextInput
        label={texts.tokenUrl}
        description={texts.tokenUrlHelp}
        type="url"
        autoComplete="off"
        value={oauth2?.token_url ?? ''}
        onChange={({ currentTarget: { value } }) => set(value === '' ? null : { ...newClient, ...oauth2, token_url: value })}
        error={errorOf('credentials.oauth2.token_url') ?? errorOf('credentials.oauth2')}
      />
      {oauth2 && (
        <>
          <Group grow align="flex-start">
            {textField('client_id', texts.clientId)}
            <PasswordInput
              label={texts.clientSecret}
              placeholder={texts.basicPasswordHelp}
              autoComplete="new-password"
              value={oauth2.client_secret ?? ''}
              onChange={({ currentTarget: { value } }) => set({ ...oauth2, client_secret: value || null })}
              error={errorOf('credentials.oauth2.client_secret')}
            />
          </Group>
          <Group grow align="flex-start">
            {textField('scope', texts.scope)}
            {textField('audience', texts.audience)}
            <NativeSelect
              label={texts.clientAuth}
              data={labelled(texts.clientAuths)}
              value={oauth2.client_auth}
              onChange={({ currentTarget: { value } }) => set({ ...oauth2, client_auth: value as OAuth2['client_auth'] })}
            />
          </Group>
        </>
      )}
    </>
  );
}

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

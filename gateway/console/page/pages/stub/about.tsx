import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { askStub } from '../../lib/stub.ts';
import { useChange } from '../../lib/use-change.ts';
import { Code, Copy } from '../../parts/code.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Section } from '../../parts/section.tsx';
import { text } from '../../texts/index.ts';
import { type StubState, save } from './stub.ts';

const words = text.stub.about;
const links = { '/docs': words.reference, '/docs/guides/partners': words.guide, '/docs/gaps': words.gaps };

/** The stub's address, credentials and secrets, its data as a seed, and its reset. */
export function About({ stub }: { stub: StubState }) {
  const { api, operatorToken, secret } = stub;
  const reset = useChange({ run: () => askStub('/reset', { method: 'POST' }), done: words.isReset });
  const facts: [string, string][] = [
    [words.address, `${location.origin}/api/v1`],
    ...credentialsOf(stub),
    [words.operatorToken, operatorToken],
    [words.secret, secret],
  ];
  const variables = {
    PASSERELLE_URL: location.origin,
    PASSERELLE_OPERATOR_TOKEN: operatorToken,
    PASSERELLE_SIGNING_SECRET: secret,
  };
  const assignments = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  return (
    <Section title={text.stub.tabs.about}>
      <Stack>
        <Facts
          of={facts.map(([name, value]) => [
            name,
            <Group key={name} gap={4} wrap="nowrap">
              <span className="mono break-anywhere">{value}</span>
              <Copy text={value} name={words.copy(name)} />
            </Group>,
          ])}
        />
        <Code title={words.variables} text={`export ${assignments.join(' ')}`} />
        <Text size="sm">{words.data}</Text>
        <Group>
          <Button size="xs" variant="default" onClick={() => save('/state', `${api}.json`)}>
            {words.save}
          </Button>
          <ConfirmButton
            label={words.reset}
            title={words.reset}
            consequences={[words.resetEffect]}
            confirm={() => reset.mutate()}
          />
        </Group>
        {Object.entries(links).map(([href, label]) => (
          <Anchor key={href} href={href} size="sm">
            {label}
          </Anchor>
        ))}
      </Stack>
    </Section>
  );
}

function credentialsOf({ credentials }: StubState): [string, string][] {
  const own = Object.entries(words.names).map(([key, name]): [string, unknown] => [name, credentials[key]]);
  const others = (credentials.tokens ?? []).filter(({ token }) => token !== credentials.token);
  return [
    ...own.filter((row): row is [string, string] => typeof row[1] === 'string'),
    ...others.map(({ token, abilities }): [string, string] => [words.tokenFor(abilities.join(', ')), token]),
  ];
}

import { Accordion, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import type { Operation } from '../../lib/documents.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Code, Headers } from '../../parts/code.tsx';
import { HttpStatus } from '../../parts/status.tsx';
import { text } from '../../texts/index.ts';
import { addFault } from './faults.tsx';
import { type Example, type StubState, useExamples, useOperations } from './stub.ts';

const words = text.stub.replies;

/** The replies that the stub can give by name, by operation. */
export function Replies({ stub }: { stub: StubState }) {
  const [search, setSearch] = useState('');
  const examples = useExamples();
  const operations = useOperations(stub.api);
  const wanted = search.trim().toLowerCase();
  const found = operations
    .map((operation) => ({
      operation,
      replies: examples.filter((one) => one.operation === operation.id && matches(one, wanted)),
    }))
    .filter(({ replies }) => replies.length > 0);
  return (
    <Stack>
      <Text size="sm">{words.about}</Text>
      <TextInput
        label={words.find}
        maw={320}
        placeholder="stock, 404, token"
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {found.length === 0 && <Text size="sm">{words.noMatch}</Text>}
      {found.map(({ operation, replies }) => (
        <section key={operation.id} aria-label={operation.id}>
          <Title order={2} size="h6">{`${operation.id}: ${operation.method} ${operation.path}`}</Title>
          <Accordion order={3}>
            {replies.map((example) => (
              <Accordion.Item key={example.name} value={example.name}>
                <Accordion.Control>
                  <Text size="sm" lang="en">
                    <HttpStatus status={example.status} /> <b>{example.name}</b> {example.cause}
                  </Text>
                </Accordion.Control>
                <Accordion.Panel>
                  <Reply of={example} operation={operation} />
                </Accordion.Panel>
              </Accordion.Item>
            ))}
          </Accordion>
        </section>
      ))}
    </Stack>
  );
}

const matches = ({ status, name, cause, operation }: Example, wanted: string) =>
  `${status} ${name} ${cause} ${operation}`.toLowerCase().includes(wanted);

function Reply({
  of: { operation: id, name, headers, body },
  operation: { method, path },
}: {
  of: Example;
  operation: Operation;
}) {
  const prefer = `Prefer: example=${name}`;
  const next = useChange({
    run: () => addFault({ operation: id, times: 1, fault: { kind: 'example', name } }),
    done: text.stub.added,
  });
  return (
    <Stack gap="sm" align="stretch">
      <div>
        <ChangeButton onClick={() => next.mutate()}>{words.next}</ChangeButton>
      </div>
      <Code title={words.header} text={prefer} />
      <Code title={words.asCurl} text={`curl -X ${method} -H '${prefer}' '${location.origin}${path}'`} />
      {Object.keys(headers).length > 0 && <Headers title={words.headers} of={headers} />}
      <Code title={words.body} text={JSON.stringify(body, null, 2)} />
    </Stack>
  );
}

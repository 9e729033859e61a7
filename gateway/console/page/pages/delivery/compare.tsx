import { Button, Collapse, Group, Paper, PasswordInput, SimpleGrid, Stack, Text, Textarea, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconStethoscope } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { answer, api } from '../../lib/api.ts';
import { Failure } from '../../parts/problem.tsx';
import type { Attempt, Story } from './delivery.ts';
import { Verdict } from './diagnosis.tsx';
import { headersIn, seenHeaders, signatureHeaderOf } from './pasted-headers.ts';

interface CompareProps {
  story: Story;
  attempt: Attempt | undefined;
}

/** Lays what the receiver says it got beside what was sent, and says why its signature does not fit. */
export function Compare({ story, attempt }: CompareProps) {
  const [opened, { toggle }] = useDisclosure();
  return (
    <Paper withBorder p="md" component="section" aria-label="Compare with the receiver">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h5">
            Compare with the receiver
          </Title>
          <Text size="sm" c="dimmed">
            It refuses the signature? Paste what it got: the signature doctor says what is wrong, and how to put it right.
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          onClick={toggle}
          aria-expanded={opened}
          leftSection={<IconStethoscope size={14} aria-hidden />}
        >
          {opened ? 'Close' : 'Compare'}
        </Button>
      </Group>
      <Collapse expanded={opened}>{opened && <Form story={story} attempt={attempt} />}</Collapse>
    </Paper>
  );
}

function Form({ story, attempt }: CompareProps) {
  const sent = attempt?.request_headers ?? {};
  const signatureHeader = signatureHeaderOf(sent);
  const signature = seenHeaders(sent, {})[signatureHeader] ?? 'sha256=…';
  const [body, setBody] = useState('');
  const [headers, setHeaders] = useState('');
  // The receiver's secret is in this field only, and in the one request that asks.
  const [secret, setSecret] = useState('');
  const ask = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const given = headersIn(headers, signatureHeader);
      return (
        await answer(
          api.POST('/deliveries/{id}/diagnose', {
            params: { path: { id: story.id } },
            body: {
              ...(attempt && { attempt: attempt.number }),
              ...(body !== '' && { body }),
              ...(Object.keys(given).length > 0 && { headers: seenHeaders(sent, given) }),
              ...(secret.trim() !== '' && { secret: secret.trim() }),
            },
          }),
        )
      ).data;
    },
  });
  return (
    <form
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate();
      }}
    >
      <Stack mt="md">
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Textarea
            label="Raw body that it got"
            description="Byte for byte, as it came in. Left empty: as it was sent."
            placeholder={story.event?.body.slice(0, 80)}
            classNames={{ input: 'mono' }}
            autosize
            minRows={3}
            maxRows={12}
            spellCheck={false}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
          <Stack>
            <Textarea
              label="Signature headers that it got"
              description="One to a line, or only the signature. Left empty: as they were sent."
              placeholder={`${signatureHeader}: ${signature}`}
              classNames={{ input: 'mono' }}
              autosize
              minRows={2}
              spellCheck={false}
              value={headers}
              onChange={(event) => setHeaders(event.currentTarget.value)}
            />
            <PasswordInput
              label="Secret that it checks with (optional)"
              description="Used for this one comparison; kept neither here nor in the gateway's records."
              autoComplete="off"
              data-1p-ignore
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
          </Stack>
        </SimpleGrid>
        <Group>
          <Button type="submit" size="xs" loading={ask.isPending}>
            {attempt ? `Compare with attempt ${attempt.number}` : 'Compare'}
          </Button>
        </Group>
        <div aria-live="polite">
          {ask.error && <Failure error={ask.error} />}
          {ask.data && <Verdict of={ask.data} />}
        </div>
      </Stack>
    </form>
  );
}

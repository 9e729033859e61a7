import { Button, Collapse, Group, Paper, PasswordInput, SimpleGrid, Stack, Textarea, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, dataOf } from '../../lib/api.ts';
import { text } from '../../texts/shared.ts';
import { Hint } from '../hint.tsx';
import { IconStethoscope } from '../icons/tabler.ts';
import { Failure } from '../problem.tsx';
import { SubmitForm } from '../submit-form.tsx';
import type { Attempt, Delivery } from './delivery.ts';
import { DiagnosisResult } from './diagnosis.tsx';
import { parseHeaders, receivedHeaders, signatureHeaderName } from './pasted-headers.ts';

const says = text.delivery.compare;

interface CompareProps {
  delivery: Delivery;
  attempt: Attempt | undefined;
}

interface ComparisonProps extends CompareProps {
  /** True if the viewer came to compare. */
  isOpen?: boolean;
}

/** Compares what the receiver got with what was sent, and explains why its signature check fails. */
export function Compare({ delivery, attempt, isOpen = false }: ComparisonProps) {
  const [opened, { toggle }] = useDisclosure(isOpen);
  const section = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) section.current?.scrollIntoView({ block: 'start' });
  }, [isOpen]);
  return (
    <Paper withBorder p="md" component="section" aria-label={says.title} ref={section}>
      <Group justify="space-between">
        <div>
          <Title order={2} size="h5">
            {says.title}
          </Title>
          <Hint>{says.intro}</Hint>
        </div>
        <Button
          size="xs"
          variant="default"
          onClick={toggle}
          aria-expanded={opened}
          leftSection={<IconStethoscope size={14} aria-hidden />}
        >
          {opened ? says.close : says.open}
        </Button>
      </Group>
      <Collapse expanded={opened}>{opened && <Form delivery={delivery} attempt={attempt} />}</Collapse>
    </Paper>
  );
}

function Form({ delivery, attempt }: CompareProps) {
  const sent = attempt?.request_headers ?? {};
  const signatureHeader = signatureHeaderName(sent);
  const signature = receivedHeaders(sent, {})[signatureHeader] ?? 'sha256=…';
  const [body, setBody] = useState('');
  const [headers, setHeaders] = useState('');
  // The receiver's secret is kept in this field only, and sent with this one request.
  const [secret, setSecret] = useState('');
  const diagnosis = useMutation({
    gcTime: 0,
    mutationFn: async () => {
      const given = parseHeaders(headers, signatureHeader);
      return await dataOf(
        api.POST('/deliveries/{id}/diagnose', {
          params: { path: { id: delivery.id } },
          body: {
            ...(attempt && { attempt: attempt.number }),
            ...(body !== '' && { body }),
            ...(Object.keys(given).length > 0 && { headers: receivedHeaders(sent, given) }),
            ...(secret.trim() !== '' && { secret: secret.trim() }),
          },
        }),
      );
    },
  });
  return (
    <SubmitForm autoComplete="off" submit={() => diagnosis.mutate()}>
      <Stack mt="md">
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Textarea
            label={says.body}
            description={says.bodyHelp}
            placeholder={delivery.event?.body.slice(0, 80)}
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
              label={says.headers}
              description={says.headersHelp}
              placeholder={`${signatureHeader}: ${signature}`}
              classNames={{ input: 'mono' }}
              autosize
              minRows={2}
              spellCheck={false}
              value={headers}
              onChange={(event) => setHeaders(event.currentTarget.value)}
            />
            <PasswordInput
              label={says.secret}
              description={says.secretHelp}
              autoComplete="off"
              data-1p-ignore
              value={secret}
              onChange={(event) => setSecret(event.currentTarget.value)}
            />
          </Stack>
        </SimpleGrid>
        <Group>
          <Button type="submit" size="xs" loading={diagnosis.isPending}>
            {attempt ? says.submitWith(attempt.number) : says.submit}
          </Button>
        </Group>
        <div aria-live="polite">
          {diagnosis.error && <Failure error={diagnosis.error} />}
          {diagnosis.data && <DiagnosisResult of={diagnosis.data} />}
        </div>
      </Stack>
    </SubmitForm>
  );
}

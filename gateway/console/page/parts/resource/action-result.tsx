import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { linkTo } from '../../lib/filters.ts';
import { Copy } from '../code.tsx';
import { SecretOnce } from '../secret-once.tsx';
import type { Outcome } from './resource.ts';

interface DoneProps {
  of: Outcome;
  /** Where the row that was made is shown. */
  hrefOf?: (id: string) => string;
  close(): void;
}

/** What an action did: the events it caused, and a secret that is shown this once. */
export function Done({ of: { said, causes, secret, made }, hrefOf, close }: DoneProps) {
  if (secret)
    return (
      <SecretOnce what={secret.what}>
        <Stack gap="xs" align="flex-start">
          <Group gap="xs" wrap="nowrap">
            <Text size="sm" className="mono break-anywhere" component="div" style={{ whiteSpace: 'pre-wrap' }}>
              {secret.text}
            </Text>
            <Copy text={secret.text} />
          </Group>
          <Button size="xs" variant="default" onClick={close}>
            I have copied it
          </Button>
        </Stack>
      </SecretOnce>
    );
  return (
    <Alert color="teal" title={said} withCloseButton onClose={close} closeButtonLabel="Close" role="status">
      <Stack gap={2}>
        {causes?.map((type) => (
          <Text key={type} size="sm">
            It sent the event <b>{type}</b>.{' '}
            <Anchor component={Link} size="sm" underline="always" href={linkTo('/events', { type })}>
              See these events, and who got them
            </Anchor>
          </Text>
        ))}
        {causes?.length === 0 && (
          <Text size="sm" c="dimmed">
            It sent no event.
          </Text>
        )}
        {made !== undefined && hrefOf && (
          <Anchor component={Link} size="sm" underline="always" href={hrefOf(made)}>
            Open it
          </Anchor>
        )}
      </Stack>
    </Alert>
  );
}

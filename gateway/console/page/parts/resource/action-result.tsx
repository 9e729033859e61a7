import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { linkTo } from '../../lib/filters.ts';
import { text as catalogue } from '../../texts/shared.ts';
import { Copy } from '../code.tsx';
import { Hint } from '../hint.tsx';
import { PageLink } from '../page-link.tsx';
import { SecretOnce } from '../secret-once.tsx';
import type { ActionResult } from './resource.ts';

const texts = catalogue.parts.resource;

interface ActionResultProps {
  of: ActionResult;
  /** Returns the path of a created row. */
  hrefOf?: (id: string) => string;
  close(): void;
}

/** The result of an action: the events it sent, or a secret that is shown once. */
export function ActionResultAlert({ of: { message, events, secret, says, createdId }, hrefOf, close }: ActionResultProps) {
  if (secret) return <ShownSecret secret={secret} close={close} />;
  return (
    <Alert
      color={says?.ok === false ? 'red' : 'teal'}
      title={message}
      withCloseButton
      onClose={close}
      closeButtonLabel={catalogue.parts.close}
      role="status"
    >
      <Stack gap={2}>
        {events?.map((type) => (
          <Text key={type} size="sm">
            {texts.sentEvent(<b>{type}</b>)}{' '}
            <PageLink underline="always" href={linkTo('/events', { type })}>
              {texts.showEvents}
            </PageLink>
          </Text>
        ))}
        {says && (
          <Text size="sm" className="break-anywhere">
            {texts.answered(says.text)}
          </Text>
        )}
        {events?.length === 0 && <Hint>{texts.noEvent}</Hint>}
        {createdId !== undefined && hrefOf && (
          <PageLink underline="always" href={hrefOf(createdId)}>
            {catalogue.parts.open}
          </PageLink>
        )}
      </Stack>
    </Alert>
  );
}

const ShownSecret = ({ secret, close }: { secret: NonNullable<ActionResult['secret']>; close(): void }) => (
  <SecretOnce what={secret.what}>
    <Stack gap="xs" align="flex-start">
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" className="mono break-anywhere" component="div" style={{ whiteSpace: 'pre-wrap' }}>
          {secret.text}
        </Text>
        <Copy text={secret.text} />
      </Group>
      <Button size="xs" variant="default" onClick={close}>
        {texts.copied}
      </Button>
    </Stack>
  </SecretOnce>
);

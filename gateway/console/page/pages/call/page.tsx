import { Alert, Anchor, Button, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import { type CallDetail, harUrl } from '../../lib/calls.ts';
import { linkTo } from '../../lib/filters.ts';
import type { PageProps } from '../../lib/page-props.ts';
import { CallPage } from '../../parts/call/page.tsx';
import { IconDownload } from '../../parts/icons/tabler.ts';
import { ServerText } from '../../parts/server-text.tsx';
import { StoryButton } from '../../parts/story-button.tsx';
import { text } from '../../texts/index.ts';
import { CausedEvents } from './caused-events.tsx';
import { Limit } from './limit.tsx';
import { errorMessageOf } from './message.ts';

const read = async (id: string) => (await answer(api.GET('/calls/{id}', { params: { path: { id } } }))).data;

/** One recorded call, with its caller, its limit and the events that it caused. */
export default function Call({ params: { id = '' } }: PageProps) {
  return (
    <CallPage
      id={id}
      read={read}
      actions={(call) => (
        <>
          {call && (
            <Button
              component="a"
              href={harUrl({ id })}
              download={`${id}.har`}
              size="xs"
              variant="default"
              leftSection={<IconDownload size={15} aria-hidden />}
            >
              {'HAR'}
            </Button>
          )}
          <StoryButton id={id} />
        </>
      )}
      refusal={(call) => call.error_code !== null && <Refusal call={call} />}
      facts={(call) => [
        [text.call.facts.api, call.api],
        [text.call.facts.operation, call.operation ?? text.call.noOperation],
        [text.call.facts.caller, <Caller key="caller" caller={call.caller} />],
        [text.call.facts.address, <Linked key="ip" filter="ip" value={call.ip} />],
      ]}
      about={(call) => (
        <>
          <Limit of={call.limit_state} caller={call.caller} refused={call.status === 429} />
          <CausedEvents id={id} />
          <SimilarCalls call={call} />
        </>
      )}
    />
  );
}

function Refusal({ call }: { call: CallDetail }) {
  const message = errorMessageOf(call.response_body);
  return (
    <Alert color={call.status >= 500 ? 'red' : 'yellow'} title={call.error_code}>
      <Text size="sm" className="break-anywhere">
        {message === undefined ? text.call.noMessage : <ServerText>{message}</ServerText>}
      </Text>
      <Anchor component={Link} size="sm" href={linkTo('/calls', { error_code: call.error_code ?? undefined })}>
        {text.call.sameError}
      </Anchor>
    </Alert>
  );
}

function Caller({ caller }: { caller: string | null }) {
  if (caller === null) return text.call.noCaller;
  return <Linked filter="caller" value={caller} />;
}

function Linked({ filter, value }: { filter: string; value: string }) {
  return (
    <Anchor component={Link} size="sm" href={linkTo('/calls', { [filter]: value })}>
      {value}
    </Anchor>
  );
}

const aroundMs = 30_000;

function SimilarCalls({ call }: { call: CallDetail }) {
  const atMs = Date.parse(call.at);
  const around = {
    from: new Date(atMs - aroundMs).toISOString(),
    to: new Date(atMs + aroundMs).toISOString(),
  };
  const links: [string, string][] = [[text.call.similar.around, linkTo('/calls', around)]];
  if (call.operation !== null) links.unshift([text.call.similar.operation, linkTo('/calls', { operation: call.operation })]);
  if (call.caller !== null) links.unshift([text.call.similar.caller, linkTo('/calls', { caller: call.caller })]);
  return (
    <Group gap="md" component="nav" aria-label={text.call.similar.title}>
      {links.map(([label, href]) => (
        <Anchor key={label} component={Link} href={href} size="sm">
          {label}
        </Anchor>
      ))}
    </Group>
  );
}

import { Alert, Anchor, Stack, Text } from '@mantine/core';
import type { PageProps } from '../../page/lib/page-props.ts';
import { CallPage } from '../../page/parts/call/page.tsx';
import { Code } from '../../page/parts/code.tsx';
import { Hint } from '../../page/parts/hint.tsx';
import { ServerText } from '../../page/parts/server-text.tsx';
import { dataOf, type paths, profile } from '../lib/api.ts';
import { text } from '../texts/index.ts';

type Call = paths['/calls/{id}']['get']['responses'][200]['content']['application/json']['data'];

const texts = text.call;

const read = (id: string) => dataOf(profile.GET('/calls/{id}', { params: { path: { id } } }));

/** One recorded call: its request, its response and, if it was refused, why. */
export default function CallOfPartner({ params: { id = '' } }: PageProps) {
  return (
    <CallPage
      id={id}
      read={read}
      refusal={(call) => call.refusal && <Refusal call={call} refusal={call.refusal} />}
      facts={({ operation, caller, ip }) => {
        // An account calls as itself. A user has several tokens.
        const [, token] = /^token:(.+)$/.exec(caller ?? '') ?? [];
        return [
          [texts.facts.operation, operation ?? texts.noOperation],
          ...(token === undefined ? [] : [[texts.facts.token, token] as const]),
          [texts.facts.address, ip],
        ];
      }}
      about={({ limit_state: limit }) =>
        limit && <Text size="sm">{texts.limit.leftOf(limit.name, limit.remaining, limit.limit)}</Text>
      }
    />
  );
}

/** Why the call was refused: the reply's words, those of the document, and a request that works. */
const Refusal = ({
  call,
  refusal: { code, message, document, gap, example },
}: {
  call: Call;
  refusal: NonNullable<Call['refusal']>;
}) => (
  <Stack gap="sm">
    <Alert color={call.status >= 500 ? 'red' : 'yellow'} variant="light" title={code ?? call.status}>
      <Stack gap="xs">
        <Text size="sm" className="break-anywhere">
          {message === null ? texts.noMessage : <ServerText>{message}</ServerText>}
        </Text>
        {document && (
          <Text size="sm" className="break-anywhere">
            {texts.refusal.section(document.section)} <ServerText>{document.says}</ServerText>
          </Text>
        )}
        {gap && (
          <Text size="sm">
            <Anchor href={`/docs/gaps#${gap.id}`} target="_blank" inherit underline="always">
              {texts.refusal.gap}
            </Anchor>{' '}
            <ServerText>{gap.choice}</ServerText>
          </Text>
        )}
      </Stack>
    </Alert>
    {example && (
      <Stack gap={4}>
        <Code title={texts.refusal.works} text={example.curl} />
        <Hint size="xs">{texts.refusal.replace}</Hint>
      </Stack>
    )}
  </Stack>
);

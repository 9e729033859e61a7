import { Alert, NativeSelect, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { labelled } from '../../../page/lib/filters.ts';
import { useMayChange } from '../../../page/lib/may-change.ts';
import { useChange } from '../../../page/lib/use-change.ts';
import { ChangeButton } from '../../../page/parts/change-button.tsx';
import { IconSend } from '../../../page/parts/icons/tabler.ts';
import { PageLink } from '../../../page/parts/page-link.tsx';
import { Section } from '../../../page/parts/section.tsx';
import { ServerText } from '../../../page/parts/server-text.tsx';
import { answer, dataOf, type paths, profile } from '../../lib/api.ts';
import { text } from '../../texts/index.ts';

type Settings = paths['/alerts']['get']['responses'][200]['content']['application/json']['data'];
type Patch = NonNullable<paths['/alerts']['patch']['requestBody']>['content']['application/json'];

const texts = text.alerts;
const kinds = Object.keys(texts.kinds) as (keyof Settings['kinds'])[];

/** What is sent, in which language, and where. Each change is stored at once. */
export function AlertSettings({ settings }: { settings: Settings }) {
  const { run, isPending, mayChange } = useSave();
  const disabled = !mayChange || isPending;
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Section title={texts.what}>
        <Stack gap="md">
          {kinds.map((kind) => (
            <Switch
              key={kind}
              label={texts.kinds[kind].label}
              description={texts.kinds[kind].help}
              checked={settings.kinds[kind]}
              disabled={disabled}
              onChange={({ currentTarget: { checked } }) => run({ kinds: { [kind]: checked } })}
            />
          ))}
          <NativeSelect
            label={texts.language}
            value={settings.language}
            disabled={disabled}
            data={labelled(texts.languages)}
            onChange={({ currentTarget: { value } }) => run({ language: value as Settings['language'] })}
            maw={240}
          />
        </Stack>
      </Section>
      <Where settings={settings} disabled={disabled} run={run} />
    </SimpleGrid>
  );
}

function useSave() {
  const { mutate: run, isPending } = useChange({
    run: (body: Patch) => answer(profile.PATCH('/alerts', { body })),
    done: texts.saved,
  });
  return { run, isPending, mayChange: useMayChange() };
}

interface WhereProps {
  settings: Settings;
  disabled: boolean;
  run(patch: Patch): void;
}

function Where({ settings: { own_address: own, addresses, available }, disabled, run }: WhereProps) {
  const confirmed = addresses.filter(({ confirmed_at: at }) => at !== null);
  const isReached = own?.on === true || confirmed.length > 0;
  return (
    <Section title={texts.where} beside={available && isReached && <TestButton />}>
      <Stack gap="md">
        {!isReached && (
          <Alert color="yellow" title={texts.nobody.title}>
            {texts.nobody.next}
          </Alert>
        )}
        {own && (
          <Switch
            label={texts.ownAddress(own.address)}
            description={texts.ownAddressHelp}
            checked={own.on}
            disabled={disabled}
            onChange={({ currentTarget: { checked } }) => run({ own_address: checked })}
            className="break-anywhere"
          />
        )}
        {confirmed.map(({ id, address }) => (
          <Text key={id} size="sm" className="break-anywhere">
            {address}
          </Text>
        ))}
        <PageLink href="/alerts/addresses" underline="always">
          {addresses.length === 0 ? texts.nobody.add : texts.addresses}
        </PageLink>
      </Stack>
    </Section>
  );
}

function TestButton() {
  const test = useChange({ run: () => dataOf(profile.POST('/alerts/test')) });
  return (
    <Stack gap="xs" align="flex-end">
      <ChangeButton leftSection={<IconSend size={15} aria-hidden />} loading={test.isPending} onClick={() => test.mutate()}>
        {texts.sendTest}
      </ChangeButton>
      {test.data && <Answers of={test.data} />}
    </Stack>
  );
}

function Answers({ of }: { of: readonly { address: string; ok: boolean; answer: string }[] }) {
  const isTaken = of.every(({ ok }) => ok);
  return (
    <Alert color={isTaken ? 'teal' : 'red'} role="status" title={isTaken ? texts.testTaken : texts.testRefused}>
      {of.map(({ address, answer: said }) => (
        <Text key={address} size="sm" className="break-anywhere">
          {texts.tested(address, <ServerText>{said}</ServerText>)}
        </Text>
      ))}
    </Alert>
  );
}

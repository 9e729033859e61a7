import { Alert, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { labelled } from '../../../page/lib/filters.ts';
import { useChange } from '../../../page/lib/use-change.ts';
import { ChangeButton } from '../../../page/parts/change-button.tsx';
import { Section } from '../../../page/parts/section.tsx';
import { ServerText } from '../../../page/parts/server-text.tsx';
import { Time } from '../../../page/parts/time.tsx';
import { answer, type paths, profile } from '../../lib/api.ts';
import { text } from '../../texts/index.ts';

type Address = NonNullable<paths['/alerts']['get']['responses'][200]['content']['application/json']['data']['address']>;
type Language = Address['language'];

const texts = text.alerts.address;

/** The one address that alerts go to: it is entered, confirmed with a code, and removed. */
export function AlertAddress({ address: known }: { address: Address | null }) {
  const [address, setAddress] = useState(known?.address ?? '');
  const [language, setLanguage] = useState<Language>(known?.language ?? 'en');
  const isConfirmed = known !== null && known.confirmed_at !== null;
  const save = useChange({
    run: () => answer(profile.PUT('/alerts/address', { body: { address, language } })),
    done: ({ data }) => (data.sent === null ? texts.saved : data.sent.ok ? texts.codeSent : texts.codeNotSent),
  });
  const remove = useChange({ run: () => answer(profile.DELETE('/alerts/address')), done: texts.removed });
  const sent = save.data?.data.sent;
  return (
    <Section title={texts.title}>
      <Stack gap="md" maw={420}>
        <Text size="sm">{isConfirmed ? texts.isConfirmed(known.address) : texts.help}</Text>
        {!isConfirmed && (
          <TextInput
            label={texts.label}
            placeholder="awa@example.org"
            value={address}
            onChange={({ currentTarget: { value } }) => setAddress(value)}
          />
        )}
        <NativeSelect
          label={texts.language}
          value={language}
          data={labelled(texts.languages)}
          onChange={({ currentTarget: { value } }) => setLanguage(value as Language)}
        />
        <ChangeButton loading={save.isPending} onClick={() => save.mutate()}>
          {isConfirmed ? texts.save : texts.sendCode}
        </ChangeButton>
        {sent?.ok === false && (
          <Alert color="red" role="status" title={texts.codeNotSent}>
            <ServerText>{sent.answer}</ServerText>
          </Alert>
        )}
        {known !== null && !isConfirmed && <Confirmation of={known} />}
        {known !== null && (
          <ChangeButton variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {texts.remove}
          </ChangeButton>
        )}
      </Stack>
    </Section>
  );
}

function Confirmation({ of: { address, code_expires_at: ends } }: { of: Address }) {
  const [code, setCode] = useState('');
  const confirm = useChange({
    run: () => answer(profile.POST('/alerts/address/confirm', { body: { secret_code: code } })),
    done: texts.isConfirmed(address),
  });
  return (
    <>
      <TextInput
        label={texts.code}
        description={texts.codeHelp(address, <Time at={ends} />)}
        value={code}
        onChange={({ currentTarget: { value } }) => setCode(value)}
      />
      <ChangeButton variant="filled" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {texts.confirm}
      </ChangeButton>
    </>
  );
}

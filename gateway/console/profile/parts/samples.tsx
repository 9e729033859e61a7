import { NativeSelect, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { labelled } from '../../page/lib/filters.ts';
import { Code } from '../../page/parts/code.tsx';
import { Hint } from '../../page/parts/hint.tsx';
import { Loading } from '../../page/parts/loading.tsx';
import { Failure } from '../../page/parts/problem.tsx';
import { Section } from '../../page/parts/section.tsx';
import { answer, profile } from '../lib/api.ts';
import { text } from '../texts/index.ts';

const texts = text.webhooks.samples;

/** The languages of the sample receivers, with their names. */
const languages = {
  node: 'Node.js',
  php: 'PHP',
  python: 'Python',
  go: 'Go',
  java: 'Java',
  csharp: 'C#',
  ruby: 'Ruby',
} as const;

type Language = keyof typeof languages;

export function Samples() {
  const [language, setLanguage] = useState<Language>('node');
  const sample = useQuery({
    queryKey: ['receivers', language],
    queryFn: () =>
      answer(profile.GET('/receivers/{language}', { params: { path: { language } }, parseAs: 'text' })) as Promise<string>,
    staleTime: Number.POSITIVE_INFINITY,
    // The page keeps its height while another language is read.
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={texts.title}>
      <Stack gap="sm">
        <Hint>{texts.about}</Hint>
        <NativeSelect
          size="xs"
          maw={200}
          label={texts.language}
          value={language}
          onChange={(event) => setLanguage(event.currentTarget.value as Language)}
          data={labelled(languages)}
        />
        {sample.error ? (
          <Failure error={sample.error} retry={sample.refetch} />
        ) : sample.data === undefined ? (
          <Loading />
        ) : (
          <Code title={texts.code(languages[language])} text={sample.data} />
        )}
      </Stack>
    </Section>
  );
}

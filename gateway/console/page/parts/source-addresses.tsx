import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { paths } from '../lib/api.ts';
import { text } from '../texts/shared.ts';
import { Hint } from './hint.tsx';
import { Failure } from './problem.tsx';
import { Section } from './section.tsx';

type Listed = paths['/source-addresses']['get']['responses'][200]['content']['application/json'];

/** The addresses that webhooks come from. Shows nothing if the operator lists none. */
export function SourceAddresses({ load }: { load(): Promise<Listed> }) {
  const { data: listed, error, refetch } = useQuery({ queryKey: ['source-addresses'], queryFn: load });
  const texts = text.parts.sources;
  if (error) return <Failure error={error} retry={() => void refetch()} />;
  if (!listed || listed.data.length === 0) return null;
  return (
    <Section title={texts.title}>
      <Hint size="xs">{texts.about}</Hint>
      <Text size="sm" className="break-anywhere">
        {listed.data.join(', ')}
      </Text>
    </Section>
  );
}

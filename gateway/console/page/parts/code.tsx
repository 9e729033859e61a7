import { ActionIcon, Box, Button, CopyButton, Group, Code as Inline, SegmentedControl, Text, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { pretty } from '../lib/format.ts';
import { npxCommand } from '../lib/services.ts';
import { text as catalogue } from '../texts/shared.ts';
import { IconCheck, IconCopy } from './icons/tabler.ts';

const texts = catalogue.parts;

/** Copies a text. A button if it has a label, an icon otherwise. `name`: what the icon does, where there are many. */
export const Copy = ({ text, label, name = texts.copy }: { text: string; label?: string; name?: string }) => (
  <CopyButton value={text}>
    {({ copied, copy }) => {
      const icon = copied ? <IconCheck size={15} /> : <IconCopy size={15} />;
      if (label !== undefined)
        return (
          <Button size="xs" variant="default" leftSection={icon} onClick={copy}>
            {copied ? texts.copied : label}
          </Button>
        );
      const does = copied ? texts.copied : name;
      return (
        <Tooltip label={does}>
          <ActionIcon variant="subtle" color="gray" size="sm" aria-label={does} onClick={copy}>
            {icon}
          </ActionIcon>
        </Tooltip>
      );
    }}
  </CopyButton>
);

export const Command = ({ text }: { text: string }) => (
  <Group gap="xs" wrap="nowrap">
    <Inline className="break-anywhere">{text}</Inline>
    <Copy text={text} />
  </Group>
);

/** Sends the console's gateway an example event. */
export const TriggerCommand = () => (
  <Command
    text={`${npxCommand} trigger sale.completed --at ${location.origin} --token "$PASSERELLE_OPERATOR_TOKEN" --to http://localhost:3000/hook`}
  />
);

/** Text from outside, never rendered as markup. JSON is shown indented, or exactly as it was sent. */
export function Code({ text, title }: { text: string; title: string }) {
  const readable = pretty(text);
  const [form, setForm] = useState<'pretty' | 'exact'>('pretty');
  const shown = form === 'pretty' ? readable : text;
  return (
    <Box>
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Group gap={6} wrap="nowrap">
          {readable !== text && (
            <SegmentedControl
              size="xs"
              aria-label={texts.code.format(title)}
              value={form}
              onChange={(value) => setForm(value as 'pretty' | 'exact')}
              data={[
                { value: 'pretty', label: texts.code.formatted },
                { value: 'exact', label: texts.code.exact },
              ]}
            />
          )}
          <Copy text={text} />
        </Group>
      </Group>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach a region that scrolls. */}
      <section className="code" tabIndex={0} aria-label={title}>
        <pre>{shown === '' ? texts.code.empty : shown}</pre>
      </section>
    </Box>
  );
}

/** The headers of a request or a response. */
export function Headers({ of: headers, title }: { of: Readonly<Record<string, unknown>>; title: string }) {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => `${name}: ${one}`),
  );
  return <Code title={title} text={lines.join('\n')} />;
}

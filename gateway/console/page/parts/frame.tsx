import { Anchor, Box, Group, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { text as catalogue } from '../texts/shared.ts';
import { Copy } from './code.tsx';
import { Offline } from './offline.tsx';
import { PageLink } from './page-link.tsx';

interface FrameProps {
  title: string;
  /** Shown beside the title. */
  beside?: ReactNode;
  actions?: ReactNode;
  /** The list that this page's row belongs to. */
  from?: { href: string; label: string };
  children: ReactNode;
}

/** The heading, buttons and browser title of a page. */
export function Frame({ title, beside, actions, from, children }: FrameProps) {
  useEffect(() => {
    document.title = `${title.slice(0, 200)} · Passerelle`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-end" gap="sm">
        <Box miw={0}>
          {from && <PageLink href={from.href}>← {from.label}</PageLink>}
          <Group gap="sm" wrap="nowrap">
            <Box miw={0}>
              <LongText
                text={title}
                within={(shown) => (
                  <Title order={1} size="h3" className="break-anywhere">
                    {shown}
                  </Title>
                )}
              />
            </Box>
            {beside}
          </Group>
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      <Offline />
      {children}
    </Stack>
  );
}

const texts = catalogue.parts;

/** Longer text is cut to two lines. */
const longAfter = 140;

interface LongTextProps {
  text: string;
  /** Puts the text into an element, such as a heading. The buttons stay outside of it. */
  within?(shown: ReactNode): ReactNode;
}

/** Text from outside, of any length, such as a URL of two thousand characters. Long text can be shown in full and copied. */
function LongText({ text, within = (shown) => shown }: LongTextProps) {
  if (text.length <= longAfter) return within(text);
  return <Cut key={text} text={text} within={within} />;
}

function Cut({ text, within }: Required<LongTextProps>) {
  const [whole, showWhole] = useState(false);
  return (
    <>
      {within(<span className={whole ? 'break-anywhere' : 'cut'}>{text}</span>)}
      <Group gap={6} mt={2}>
        <Anchor component="button" type="button" size="xs" aria-expanded={whole} onClick={() => showWhole(!whole)}>
          {whole ? texts.showLess : texts.showAll}
        </Anchor>
        <Copy text={text} />
      </Group>
    </>
  );
}

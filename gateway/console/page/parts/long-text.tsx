import { Anchor, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { text as catalogue } from '../texts/shared.ts';
import { Copy } from './code.tsx';

const texts = catalogue.parts;

/** Longer text is cut to two lines. */
const longAfter = 140;

interface LongTextProps {
  text: string;
  /** Puts the text into an element, such as a heading. The buttons stay outside of it. */
  within?(shown: ReactNode): ReactNode;
}

/** Text from outside, of any length, such as a URL of two thousand characters. Long text can be shown in full and copied. */
export function LongText({ text, within = (shown) => shown }: LongTextProps) {
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

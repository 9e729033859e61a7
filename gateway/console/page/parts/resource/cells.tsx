import { Badge } from '@mantine/core';
import { count } from '../../lib/format.ts';
import { text } from '../../texts/shared.ts';

const texts = text.parts.resource;

/** A state: active or not. `words` are for what has another gender than most. */
export const Active = ({ is, words = texts }: { is: boolean; words?: { active: string; notActive: string } }) => (
  <Badge variant="dot" color={is ? 'teal' : 'gray'}>
    {is ? words.active : words.notActive}
  </Badge>
);

export const yesOrNo = (is: boolean) => (is ? texts.yes : texts.no);

export const money = (amount: number | null, currency = 'XOF') => (amount === null ? '–' : `${count(amount)} ${currency}`);

/** A list of ids. `null` means all. */
/** `words`: other words for all and none, for a noun of another gender. */
export const listed = (ids: readonly (string | number)[] | null, words: { all: string; none: string } = text.parts) =>
  ids === null ? words.all : ids.join(', ') || words.none;

export const activeField = (active: boolean) =>
  ({ name: 'active', label: texts.activeLabel, kind: 'flag', initial: active }) as const;

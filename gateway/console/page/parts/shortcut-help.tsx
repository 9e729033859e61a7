import { ActionIcon, Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { text } from '../texts/shared.ts';
import { IconKeyboard } from './icons/tabler.ts';

const texts = text.frame.shortcuts;

/** Every keyboard shortcut, for the help dialog only: the component that uses a key binds it. */
const shortcuts: readonly (readonly [string, string])[] = [
  ['/', texts.search],
  ['g', texts.goTo],
  ['j', texts.nextRow],
  ['k', texts.previousRow],
  [texts.enter, texts.openRow],
  ['n', texts.next],
  ['p', texts.previous],
  ['r', texts.resend],
  ['l', texts.live],
  ['u', texts.zone],
  ['?', texts.help],
];

export function ShortcutHelp() {
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([['shift+?', open]]);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={texts.title} onClick={open} visibleFrom="sm">
        <IconKeyboard size={20} stroke={1.6} />
      </ActionIcon>
      <Modal opened={opened} onClose={close} title={texts.title}>
        <Stack gap="xs">
          {shortcuts.map(([key, effect]) => (
            <Group key={key} justify="space-between" wrap="nowrap">
              <Text size="sm">{effect}</Text>
              <Kbd>{key}</Kbd>
            </Group>
          ))}
        </Stack>
      </Modal>
    </>
  );
}

import { ActionIcon, Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';

/** Every keyboard shortcut, for the help dialog only: the component that uses a key binds it. */
const shortcuts: readonly (readonly [string, string])[] = [
  ['/', 'Search this list'],
  ['g', 'Go to an id'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['n', 'Next delivery, call, event or endpoint of the list'],
  ['p', 'Previous delivery, call, event or endpoint'],
  ['r', 'Resend the delivery'],
  ['l', 'Turn live updates on or off'],
  ['u', 'Show all times in UTC, or in local time'],
  ['?', 'Show this help'],
];

export function ShortcutHelp() {
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([['shift+?', open]]);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Keyboard shortcuts" onClick={open} visibleFrom="sm">
        <IconKeyboard size={20} stroke={1.6} />
      </ActionIcon>
      <Modal opened={opened} onClose={close} title="Keyboard shortcuts">
        <Stack gap="xs">
          {shortcuts.map(([key, effect]) => (
            <Group key={key} justify="space-between">
              <Text size="sm">{effect}</Text>
              <Kbd>{key}</Kbd>
            </Group>
          ))}
        </Stack>
      </Modal>
    </>
  );
}

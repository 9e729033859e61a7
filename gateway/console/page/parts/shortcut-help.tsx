import { ActionIcon, Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconKeyboard } from '@tabler/icons-react';

/** Every key that does something, for the help and nowhere else to look them up. */
const keys: readonly (readonly [string, string])[] = [
  ['/', 'Search in this list'],
  ['g', 'Go to anything by its id'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['n', 'Next delivery, call or event of the list one came from'],
  ['p', 'Previous one'],
  ['r', 'Resend the delivery'],
  ['l', 'Live on or off'],
  ['?', 'This help'],
];

export function Help() {
  const [opened, { open, close }] = useDisclosure();
  useHotkeys([['shift+?', open]]);
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Keys" onClick={open} visibleFrom="sm">
        <IconKeyboard size={20} stroke={1.6} />
      </ActionIcon>
      <Modal opened={opened} onClose={close} title="Keys">
        <Stack gap="xs">
          {keys.map(([key, does]) => (
            <Group key={key} justify="space-between">
              <Text size="sm">{does}</Text>
              <Kbd>{key}</Kbd>
            </Group>
          ))}
        </Stack>
      </Modal>
    </>
  );
}

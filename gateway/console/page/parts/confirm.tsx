import { Button, type ButtonProps, Group, List, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { text } from '../texts/shared.ts';
import { ChangeButton } from './change-button.tsx';

interface ConfirmationProps {
  opened: boolean;
  close(): void;
  title: string;
  /** The effects of the change, and whether it can be undone. */
  consequences: readonly ReactNode[];
  /** The label of the button that makes the change. */
  label: string;
  confirm(): void;
  /** Set for a change that cannot be undone: the button is red, and Enter does not press it. */
  dangerous?: boolean;
}

/** A dialog that lists the effects of a change before it is made. */
export const Confirmation = ({ opened, close, title, consequences, label, confirm, dangerous = false }: ConfirmationProps) => (
  <Modal opened={opened} onClose={close} title={title}>
    <Stack>
      <List size="sm" spacing={4}>
        {consequences.map((consequence, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list of texts.
          <List.Item key={index}>{consequence}</List.Item>
        ))}
      </List>
      <Group justify="flex-end">
        <Button variant="default" onClick={close}>
          {text.parts.cancel}
        </Button>
        <Button
          {...(dangerous ? { color: 'red' } : { 'data-autofocus': true })}
          onClick={() => {
            close();
            confirm();
          }}
        >
          {label}
        </Button>
      </Group>
    </Stack>
  </Modal>
);

interface ConfirmButtonProps extends Pick<ConfirmationProps, 'title' | 'consequences' | 'confirm'> {
  /** The label of this button and of the dialog's. */
  label: string;
  buttonProps?: ButtonProps;
}

/** A button for a change that cannot be undone. It asks for confirmation first. */
export function ConfirmButton({ label, buttonProps, ...confirmation }: ConfirmButtonProps) {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <ChangeButton {...buttonProps} onClick={open}>
        {label}
      </ChangeButton>
      <Confirmation {...confirmation} label={label} opened={opened} close={close} dangerous />
    </>
  );
}

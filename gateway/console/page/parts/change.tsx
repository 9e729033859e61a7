import { Alert, Button, type ButtonProps, Group, List, Modal, Stack, Text, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../lib/api.ts';
import { useMayChange } from '../session.tsx';

interface ChangeOptions<I, O> {
  run(input: I): Promise<O>;
  /** What is said when it worked; nothing where it is left out. */
  done?: string | ((made: O) => string);
  /** The page shows a refusal itself, beside the fields it is about. */
  showsRefusal?: boolean;
}

/** A change through the API: what it touched is read again, and how it went is said. */
export function useChange<I = void, O = unknown>({ run, done, showsRefusal = false }: ChangeOptions<I, O>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: (made: O) => {
      // Lists, pages and figures all may show it.
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
      const message = typeof done === 'function' ? done(made) : done;
      if (message) notifications.show({ color: 'teal', message });
    },
    onError: (error: Error) => {
      if (!showsRefusal) tellRefused(error);
    },
  });
}

export function tellRefused(error: Error): void {
  notifications.show({ color: 'red', title: 'It was refused', message: error.message, autoClose: 10_000 });
}

/** The fields that the API did not accept, by name, for a form to show beside each. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.details.map(({ field, message }) => [field, message]));
}

interface ChangeButtonProps extends ButtonProps {
  onClick(): void;
  children: ReactNode;
}

/** A button that changes something: a viewer sees it, and why it does nothing. */
export function ChangeButton({ onClick, children, disabled, ...props }: ChangeButtonProps) {
  const may = useMayChange();
  const button = (
    <Button size="xs" variant="default" {...props} disabled={!may || Boolean(disabled)} onClick={onClick}>
      {children}
    </Button>
  );
  if (may) return button;
  return (
    <Tooltip label="A viewer can change nothing. Ask an operator.">
      <span>{button}</span>
    </Tooltip>
  );
}

interface ConfirmProps {
  /** What the button says, and what the dialogue asks. */
  label: string;
  title: string;
  /** What will happen, and whether it can be undone. */
  consequences: readonly ReactNode[];
  confirm(): void;
  buttonProps?: ButtonProps;
}

interface ConfirmationProps {
  opened: boolean;
  close(): void;
  title: string;
  /** What will happen, and whether it can be undone. */
  consequences: readonly ReactNode[];
  /** What the button says that does it. */
  label: string;
  confirm(): void;
  /** Cannot be undone: it looks so. What can is done by Enter. */
  dangerous?: boolean;
}

/** Says what a change will do before it does it. */
export function Confirmation({ opened, close, title, consequences, label, confirm, dangerous = false }: ConfirmationProps) {
  return (
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
            Leave it
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
}

interface ConfirmProps extends Pick<ConfirmationProps, 'title' | 'consequences' | 'confirm'> {
  /** What the button says, and the one in the dialogue that does it. */
  label: string;
  buttonProps?: ButtonProps;
}

/** A change that cannot be undone asks first, and says what it will do. */
export function ConfirmButton({ label, buttonProps, ...confirmation }: ConfirmProps) {
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

/** Shown once: it is kept nowhere in the clear. */
export function SecretOnce({ what, children }: { what: string; children: ReactNode }) {
  return (
    <Alert color="yellow" title={`Copy ${what} now`}>
      <Text size="sm" mb="xs">
        It is shown this once.
      </Text>
      {children}
    </Alert>
  );
}

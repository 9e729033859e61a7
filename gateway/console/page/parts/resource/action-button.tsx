import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { ConfirmButton } from '../confirm.tsx';
import { Form } from './form.tsx';
import type { Action, ActionResult, Values } from './resource.ts';

interface ActionButtonProps<R> {
  action: Action<R>;
  row: R;
  /** The row's title, for the dialog's heading. */
  subject: string;
  done(result: ActionResult): void;
  primary?: boolean;
}

/** Runs an action: at once, after a confirmation, or with the values of its form. */
export function ActionButton<R>({ action, row, subject, done, primary = false }: ActionButtonProps<R>) {
  const { label, fields, consequences, run } = action;
  const [opened, { open, close }] = useDisclosure();
  const client = useQueryClient();
  const change = useChange<Values, ActionResult>({ run: (values) => run(row, values), showsRefusal: fields !== undefined });
  const start = (values: Values) =>
    change.mutate(values, {
      onSuccess: (result) => {
        close();
        done(result);
      },
      // The row may have changed since it was read, so other actions may be possible now.
      onError: () => client.invalidateQueries({ queryKey: ['back-office'] }),
    });
  const buttonProps = { loading: change.isPending, ...(primary ? { variant: 'filled' } : {}) };
  if (consequences)
    return (
      <ConfirmButton
        label={label}
        title={text.parts.resource.ask(label, subject)}
        consequences={consequences}
        confirm={() => start({})}
        buttonProps={buttonProps}
      />
    );
  if (!fields)
    return (
      <ChangeButton {...buttonProps} onClick={() => start({})}>
        {label}
      </ChangeButton>
    );
  return (
    <>
      <ChangeButton
        {...buttonProps}
        onClick={() => {
          change.reset();
          open();
        }}
      >
        {label}
      </ChangeButton>
      <Modal opened={opened} onClose={close} title={text.parts.resource.titled(label, subject)} zIndex={300}>
        <Form fields={fields(row)} label={label} pending={change.isPending} error={change.error} send={start} />
      </Modal>
    </>
  );
}

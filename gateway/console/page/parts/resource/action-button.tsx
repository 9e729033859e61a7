import { Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../change-button.tsx';
import { ConfirmButton } from '../confirm.tsx';
import { Form } from './form.tsx';
import type { Action, Outcome, Values } from './resource.ts';

interface ActionButtonProps<R> {
  action: Action<R>;
  row: R;
  /** What it is done to, for the form's heading. */
  subject: string;
  done(outcome: Outcome): void;
  main?: boolean;
}

/** Does an action of the register: at once, after a question, or with what its form asks for. */
export function ActionButton<R>({ action, row, subject, done, main = false }: ActionButtonProps<R>) {
  const { label, fields, consequences, run } = action;
  const [opened, { open, close }] = useDisclosure();
  const client = useQueryClient();
  const change = useChange<Values, Outcome>({
    run: (values) => run(row, values),
    showsRefusal: fields !== undefined,
  });
  const start = (values: Values) =>
    change.mutate(values, {
      onSuccess: (outcome) => {
        close();
        done(outcome);
      },
      // It may stand otherwise than was shown: what is legal now is offered next.
      onError: () => client.invalidateQueries({ queryKey: ['back-office'] }),
    });
  const looks = { loading: change.isPending, ...(main ? { variant: 'filled' } : {}) };
  if (consequences)
    return (
      <ConfirmButton
        label={label}
        title={subject === '' ? `${label}?` : `${label}: ${subject}?`}
        consequences={consequences}
        confirm={() => start({})}
        buttonProps={looks}
      />
    );
  if (!fields)
    return (
      <ChangeButton {...looks} onClick={() => start({})}>
        {label}
      </ChangeButton>
    );
  return (
    <>
      <ChangeButton
        {...looks}
        onClick={() => {
          change.reset();
          open();
        }}
      >
        {label}
      </ChangeButton>
      <Modal opened={opened} onClose={close} title={subject === '' ? label : `${label}: ${subject}`} zIndex={300}>
        <Form fields={fields(row)} label={label} pending={change.isPending} error={change.error} send={start} />
      </Modal>
    </>
  );
}

import { Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { answer, api } from '../../lib/api.ts';
import { useMayChange } from '../../lib/may-change.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { Confirmation } from '../confirm.tsx';
import { IconSend } from '../icons/tabler.ts';
import type { Delivery } from './delivery.ts';

const says = text.delivery.resend;
const shortcut = 'r';

const consequences: Readonly<Record<Delivery['status'], readonly string[]>> = {
  pending: [says.pending, says.sameRequest],
  delivered: [says.delivered, says.sameRequest, says.single],
  failed: [says.sameRequest, says.single],
  skipped: [says.skipped, says.sameRequest, says.single],
};

/** Sends the delivery again after a confirmation. One that waits behind another is not sent before that one. */
export const Resend = ({ delivery }: { delivery: Delivery }) =>
  delivery.waits_behind === null && <Sendable delivery={delivery} />;

/** `r` opens the dialog, Enter confirms. */
function Sendable({ delivery: { id, status } }: { delivery: Delivery }) {
  const [opened, { open, close }] = useDisclosure();
  const mayChange = useMayChange();
  const resend = useChange({
    run: () => answer(api.POST('/deliveries/{id}/resend', { params: { path: { id } } })),
    done: says.done,
  });
  useHotkeys(mayChange ? [[shortcut, open]] : []);
  return (
    <>
      <ChangeButton
        variant="filled"
        onClick={open}
        loading={resend.isPending}
        leftSection={<IconSend size={14} aria-hidden />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm">
            {shortcut}
          </Kbd>
        }
      >
        {says.label}
      </ChangeButton>
      <Confirmation
        opened={opened}
        close={close}
        title={says.title}
        consequences={consequences[status]}
        label={says.confirm}
        confirm={() => resend.mutate()}
      />
    </>
  );
}

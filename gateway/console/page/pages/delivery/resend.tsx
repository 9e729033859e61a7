import { Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { answer, api } from '../../lib/api.ts';
import { useMayChange } from '../../lib/session.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Confirmation } from '../../parts/confirm.tsx';
import type { Delivery } from './delivery.ts';

const sameRequest = 'The receiver gets the same webhook-id and the same body, with a new signature.';
const singleAttempt = 'This makes one attempt. If it fails, the delivery is failed and is not retried.';

/** The effects of a resend by the delivery's status. */
const consequences: Readonly<Record<Delivery['status'], readonly string[]>> = {
  pending: ['The next attempt is made now instead of at its scheduled time. Retries continue after it.', sameRequest],
  delivered: [
    'It was already delivered. A receiver that checks the webhook-id ignores the duplicate.',
    sameRequest,
    singleAttempt,
  ],
  failed: [sameRequest, singleAttempt],
  skipped: ['It has not been sent yet.', sameRequest, singleAttempt],
};

/** Sends the delivery again after a confirmation. `r` opens the dialog, Enter confirms. */
export function Resend({ delivery: { id, status } }: { delivery: Delivery }) {
  const [opened, { open, close }] = useDisclosure();
  const mayChange = useMayChange();
  const resend = useChange({
    run: () => answer(api.POST('/deliveries/{id}/resend', { params: { path: { id } } })),
    done: 'Sent again. The attempt will appear below.',
  });
  useHotkeys(mayChange ? [['r', open]] : []);
  return (
    <>
      <ChangeButton
        variant="filled"
        onClick={open}
        loading={resend.isPending}
        leftSection={<IconSend size={14} aria-hidden />}
        rightSection={
          <Kbd size="xs" visibleFrom="sm">
            r
          </Kbd>
        }
      >
        Resend
      </ChangeButton>
      <Confirmation
        opened={opened}
        close={close}
        title="Send this delivery again?"
        consequences={consequences[status]}
        label="Send now"
        confirm={() => resend.mutate()}
      />
    </>
  );
}

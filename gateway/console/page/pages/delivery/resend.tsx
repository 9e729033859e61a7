import { Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { answer, api } from '../../lib/api.ts';
import { useMayChange } from '../../lib/session.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { Confirmation } from '../../parts/confirm.tsx';
import type { Story } from './delivery.ts';

const same = 'The receiver gets the same webhook-id and the same bytes, with a new signature.';
const once = 'It is one attempt: where it fails the delivery is failed, and no schedule begins anew.';

/** What a resend does, by the state that the delivery is in. */
const consequences: Readonly<Record<Story['status'], readonly string[]>> = {
  pending: ['The next attempt is made now instead of when it is due. The schedule goes on after it.', same],
  delivered: ['It was delivered already: a receiver that minds the webhook-id sees that it has it.', same, once],
  failed: [same, once],
  skipped: ['It was not sent so far.', same, once],
};

/** Sends the delivery once more, after saying what that means. `r` opens it, Enter does it. */
export function Resend({ story: { id, status } }: { story: Story }) {
  const [opened, { open, close }] = useDisclosure();
  const may = useMayChange();
  const resend = useChange({
    run: () => answer(api.POST('/deliveries/{id}/resend', { params: { path: { id } } })),
    done: 'It is sent again: its attempt appears below.',
  });
  useHotkeys(may ? [['r', open]] : []);
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
        label="Send it now"
        confirm={() => resend.mutate()}
      />
    </>
  );
}

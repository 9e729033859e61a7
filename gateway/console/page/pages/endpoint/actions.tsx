import { useDisclosure } from '@mantine/hooks';
import { IconEdit, IconPlayerPlay, IconRestore, IconSend } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { answer, api } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { plural } from '../../lib/format.ts';
import { useChange } from '../../lib/use-change.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { ConfirmButton } from '../../parts/confirm.tsx';
import { EditDrawer } from '../../parts/endpoint/drawers.tsx';
import { RotateButton } from './rotate.tsx';

interface ActionsProps {
  endpoint: Endpoint;
  test(): void;
  retry(): void;
}

/** Enables or pauses an endpoint. Enabling also ends a hold. */
export function useSetActive(id: string) {
  return useChange({
    run: async (active: boolean) =>
      (await answer(api.PATCH('/endpoints/{id}', { params: { path: { id } }, body: { active } }))).data,
    done: ({ active }) => (active ? 'The endpoint receives deliveries again.' : 'The endpoint is paused. Nothing is sent to it.'),
  });
}

export function Actions({ endpoint, test, retry }: ActionsProps) {
  const { id, active } = endpoint;
  const [editing, { open: edit, close: stopEditing }] = useDisclosure();
  const toggle = useSetActive(id);
  return (
    <>
      <ChangeButton variant="filled" leftSection={<IconSend size={15} aria-hidden />} onClick={test}>
        Send test event
      </ChangeButton>
      <ChangeButton leftSection={<IconRestore size={15} aria-hidden />} onClick={retry}>
        Retry now
      </ChangeButton>
      {active ? (
        <ConfirmButton
          label="Pause"
          title="Pause this endpoint?"
          consequences={[
            'Nothing is sent to it until it is enabled again.',
            'Pending deliveries and new ones become skipped.',
            'Use “Retry now” later to send the skipped deliveries.',
          ]}
          confirm={() => toggle.mutate(false)}
          buttonProps={{ loading: toggle.isPending }}
        />
      ) : (
        <ChangeButton
          color="teal"
          variant="light"
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          loading={toggle.isPending}
          onClick={() => toggle.mutate(true)}
        >
          Enable
        </ChangeButton>
      )}
      <ChangeButton leftSection={<IconEdit size={15} aria-hidden />} onClick={edit}>
        Edit
      </ChangeButton>
      <RotateButton endpoint={endpoint} />
      <RemoveButton id={id} />
      <EditDrawer endpoint={endpoint} opened={editing} close={stopEditing} />
    </>
  );
}

function RemoveButton({ id }: { id: string }) {
  const [, navigate] = useLocation();
  const removal = useChange({
    run: async () => (await answer(api.DELETE('/endpoints/{id}', { params: { path: { id } } }))).data,
    done: ({ skipped }) =>
      `The endpoint was removed. ${plural(skipped, 'pending delivery was', 'pending deliveries were')} skipped.`,
  });
  return (
    <ConfirmButton
      label="Remove"
      title="Remove this endpoint permanently?"
      consequences={[
        'This cannot be undone. A new endpoint for the same URL gets a new secret.',
        'Its pending deliveries become skipped (endpoint_deleted) and can no longer be sent.',
        'Its deliveries and their attempts are kept.',
      ]}
      confirm={() => removal.mutate(undefined, { onSuccess: () => navigate('/endpoints') })}
      buttonProps={{ color: 'red', variant: 'light', loading: removal.isPending }}
    />
  );
}

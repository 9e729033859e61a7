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
  recover(): void;
}

/** Switches an endpoint on, which also ends a hold, or off. */
export function useSwitch(id: string) {
  return useChange({
    run: async (active: boolean) =>
      (await answer(api.PATCH('/endpoints/{id}', { params: { path: { id } }, body: { active } }))).data,
    done: ({ active }) => (active ? 'It takes deliveries again.' : 'It is paused: nothing is sent to it.'),
  });
}

export function Actions({ endpoint, test, recover }: ActionsProps) {
  const { id, active } = endpoint;
  const [editing, { open: edit, close: stopEditing }] = useDisclosure();
  const toggle = useSwitch(id);
  return (
    <>
      <ChangeButton variant="filled" leftSection={<IconSend size={15} aria-hidden />} onClick={test}>
        Send test event
      </ChangeButton>
      <ChangeButton leftSection={<IconRestore size={15} aria-hidden />} onClick={recover}>
        Recover failed
      </ChangeButton>
      {active ? (
        <ConfirmButton
          label="Pause"
          title="Pause this endpoint?"
          consequences={[
            'Nothing is sent to it until it is enabled again.',
            'What waits for it, and what happens meanwhile, is kept in the ledger as skipped.',
            'Afterwards “Recover failed” can send what was skipped.',
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
      <RotateButton id={id} />
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
      `The endpoint was removed; ${plural(skipped, 'pending delivery', 'pending deliveries')} became skipped.`,
  });
  return (
    <ConfirmButton
      label="Remove"
      title="Remove this endpoint for good?"
      consequences={[
        'It cannot be undone: to have it again is to make a new one, with a new secret.',
        'Its pending deliveries become skipped (endpoint_deleted) and cannot be sent any more.',
        'Its deliveries and their attempts stay in the ledger.',
      ]}
      confirm={() => removal.mutate(undefined, { onSuccess: () => navigate('/endpoints') })}
      buttonProps={{ color: 'red', variant: 'light', loading: removal.isPending }}
    />
  );
}

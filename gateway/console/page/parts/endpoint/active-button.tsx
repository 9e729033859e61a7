import type { Endpoint } from '../../lib/endpoint-state.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { ConfirmButton } from '../confirm.tsx';
import { IconPlayerPlay } from '../icons/tabler.ts';
import { useSetActive } from './use-set-active.ts';

/** Pauses an active endpoint after a confirmation, or enables one that is not active. */
export function ActiveButton({ endpoint: { id, active } }: { endpoint: Pick<Endpoint, 'id' | 'active'> }) {
  const toggle = useSetActive(id);
  return active ? (
    <ConfirmButton
      label={text.endpointParts.pause.label}
      title={text.endpointParts.pause.title}
      consequences={text.endpointParts.pause.consequences}
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
      {text.endpointParts.enable}
    </ChangeButton>
  );
}

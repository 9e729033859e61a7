import { useDisclosure } from '@mantine/hooks';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { ActiveButton } from '../../parts/endpoint/active-button.tsx';
import { EditDrawer } from '../../parts/endpoint/drawers.tsx';
import { RemoveButton } from '../../parts/endpoint/remove-button.tsx';
import { RotateButton } from '../../parts/endpoint/rotate.tsx';
import { IconEdit, IconRestore, IconSend } from '../../parts/icons/tabler.ts';
import { ProfileLinkButton } from '../../parts/profile-links.tsx';
import { text } from '../../texts/index.ts';

interface ActionsProps {
  endpoint: Endpoint;
  test(): void;
  retry(): void;
}

export function Actions({ endpoint, test, retry }: ActionsProps) {
  const [editing, { open: edit, close: stopEditing }] = useDisclosure();
  return (
    <>
      <ChangeButton variant="filled" leftSection={<IconSend size={15} aria-hidden />} onClick={test}>
        {text.endpointParts.sendTest}
      </ChangeButton>
      <ChangeButton leftSection={<IconRestore size={15} aria-hidden />} onClick={retry}>
        {text.endpointParts.retryNow}
      </ChangeButton>
      <ActiveButton endpoint={endpoint} />
      <ChangeButton leftSection={<IconEdit size={15} aria-hidden />} onClick={edit}>
        {text.endpointParts.edit}
      </ChangeButton>
      <RotateButton endpoint={endpoint} />
      <ProfileLinkButton owner={endpoint.owner} />
      <RemoveButton id={endpoint.id} />
      <EditDrawer endpoint={endpoint} opened={editing} close={stopEditing} />
    </>
  );
}

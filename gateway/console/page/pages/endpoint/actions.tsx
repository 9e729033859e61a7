import { type Endpoint, stateOf } from '../../lib/endpoint-state.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { ActionsMenu } from '../../parts/endpoint/actions-menu.tsx';
import { EditDrawer } from '../../parts/endpoint/drawers.tsx';
import { IconRestore, IconSend, IconUserCircle } from '../../parts/icons/tabler.ts';
import { ProfileLinks } from '../../parts/profile-links.tsx';
import { text } from '../../texts/index.ts';

interface ActionsProps {
  endpoint: Endpoint;
  test(): void;
  retry(): void;
}

/** The main action of an endpoint that needs attention is in the notice about its state. */
export function Actions({ endpoint, test, retry }: ActionsProps) {
  const { id, name } = endpoint.owner;
  const hasNotice = stateOf(endpoint).word !== 'active';
  return (
    <>
      {!hasNotice && (
        <ChangeButton leftSection={<IconRestore size={15} aria-hidden />} onClick={retry}>
          {text.endpointParts.retryNow}
        </ChangeButton>
      )}
      <ChangeButton variant={hasNotice ? 'default' : 'filled'} leftSection={<IconSend size={15} aria-hidden />} onClick={test}>
        {text.endpointParts.sendTest}
      </ChangeButton>
      <ActionsMenu
        endpoint={endpoint}
        edit={(drawer) => <EditDrawer endpoint={endpoint} {...drawer} />}
        others={
          id === null
            ? []
            : [
                {
                  label: text.partners.links.open,
                  icon: IconUserCircle,
                  dialog: (drawer) => <ProfileLinks owner={{ id, name: name ?? id }} {...drawer} />,
                },
              ]
        }
      />
    </>
  );
}

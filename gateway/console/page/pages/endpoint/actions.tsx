import { type Endpoint, stateOf } from '../../lib/endpoint-state.ts';
import { useFilters } from '../../lib/filters.ts';
import { ChangeButton } from '../../parts/change-button.tsx';
import { ActionsMenu } from '../../parts/endpoint/actions-menu.tsx';
import { OperatorForm } from '../../parts/endpoint/operator-form.tsx';
import { TestButton } from '../../parts/endpoint/page.tsx';
import { IconRestore, IconUserCircle } from '../../parts/icons/tabler.ts';
import { ProfileLinks } from '../../parts/profile-links.tsx';
import { text } from '../../texts/index.ts';

/** The main action of an endpoint that needs attention is in the notice about its state. */
export function Actions({ endpoint }: { endpoint: Endpoint }) {
  const { id, name } = endpoint.owner;
  const [, change] = useFilters();
  return (
    <>
      {stateOf(endpoint).word === 'active' && (
        <ChangeButton leftSection={<IconRestore size={15} aria-hidden />} onClick={() => change({ retry: '1' })}>
          {text.endpointParts.retryNow}
        </ChangeButton>
      )}
      <TestButton endpoint={endpoint} />
      <ActionsMenu
        endpoint={endpoint}
        form={(props) => <OperatorForm {...props} />}
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

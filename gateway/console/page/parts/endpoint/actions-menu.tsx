import { Menu } from '@mantine/core';
import { Fragment, type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { api, dataOf } from '../../lib/api.ts';
import type { Endpoint } from '../../lib/endpoint-state.ts';
import { useChange } from '../../lib/use-change.ts';
import { text } from '../../texts/shared.ts';
import { ChangeButton } from '../change-button.tsx';
import { Confirmation } from '../confirm.tsx';
import type { Icon } from '../icons/icon.tsx';
import { IconChevronDown, IconEdit, IconKey, IconPlayerPause, IconTrash } from '../icons/tabler.ts';
import { type DrawerProps, EditDrawer } from './drawers.tsx';
import type { EndpointFormProps } from './form.tsx';
import { RotationDialog } from './rotate.tsx';
import { useSetActive } from './use-set-active.ts';

interface MenuAction {
  label: string;
  icon: Icon;
  color?: 'red';
  dialog(props: DrawerProps): ReactNode;
}

interface ActionsMenuProps {
  endpoint: Endpoint;
  /** Renders the viewer's form. */
  form(props: EndpointFormProps): ReactNode;
  /** Actions that only this page has. */
  others?: readonly MenuAction[];
}

const { endpointParts: texts } = text;

/** The changes of an endpoint that are seldom needed. Each opens a dialog first. */
export function ActionsMenu({ endpoint, form, others = [] }: ActionsMenuProps) {
  const [opened, open] = useState<string | null>(null);
  const { id, active } = endpoint;
  const actions: readonly MenuAction[] = [
    { label: texts.edit, icon: IconEdit, dialog: (drawer) => <EditDrawer endpoint={endpoint} form={form} {...drawer} /> },
    // The notice of a paused endpoint resumes it.
    ...(active
      ? [{ label: texts.pause.label, icon: IconPlayerPause, dialog: (props: DrawerProps) => <PauseDialog id={id} {...props} /> }]
      : []),
    { label: texts.rotate.open, icon: IconKey, dialog: (props) => <RotationDialog endpoint={endpoint} {...props} /> },
    ...others,
    { label: texts.remove.label, icon: IconTrash, color: 'red', dialog: (props) => <RemovalDialog id={id} {...props} /> },
  ];
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ChangeButton rightSection={<IconChevronDown size={15} aria-hidden />}>{texts.more}</ChangeButton>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ label, icon: ItemIcon, color }) => (
            <Menu.Item key={label} color={color} leftSection={<ItemIcon size={15} aria-hidden />} onClick={() => open(label)}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {actions.map(({ label, dialog }) => (
        <Fragment key={label}>{dialog({ opened: opened === label, close: () => open(null) })}</Fragment>
      ))}
    </>
  );
}

function PauseDialog({ id, ...dialog }: DrawerProps & { id: string }) {
  const toggle = useSetActive(id);
  return <Confirmation {...dialog} {...texts.pause} confirm={() => toggle.mutate(false)} dangerous />;
}

/** Deletes an endpoint after a confirmation, and goes back to the list. */
function RemovalDialog({ id, ...dialog }: DrawerProps & { id: string }) {
  const [, navigate] = useLocation();
  const removal = useChange({
    run: () => dataOf(api.DELETE('/endpoints/{id}', { params: { path: { id } } })),
    done: ({ skipped }) => texts.remove.done(skipped),
  });
  const confirm = () => removal.mutate(undefined, { onSuccess: () => navigate('/endpoints') });
  return <Confirmation {...dialog} {...texts.remove} confirm={confirm} dangerous />;
}

import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core';
import { text } from '../texts/shared.ts';
import { IconLogout, IconUserCircle } from './icons/tabler.ts';
import { LanguageItem } from './language-switch.tsx';

interface AccountMenuProps {
  /** Who is signed in, and as what. */
  name: string;
  kind: string;
  signOut(): Promise<void>;
}

export const AccountMenu = ({ name, kind, signOut }: AccountMenuProps) => (
  <Menu position="bottom-end" withinPortal>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={text.frame.signedInAs(name)}>
        <IconUserCircle size={20} stroke={1.6} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown maw={320}>
      <Menu.Label>
        <Group gap={6}>
          <Text size="sm" className="break-anywhere">
            {name}
          </Text>
          <Badge size="xs">{kind}</Badge>
        </Group>
      </Menu.Label>
      <LanguageItem />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
        {text.frame.signOut}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);

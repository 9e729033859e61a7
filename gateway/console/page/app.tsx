import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core';
import { signOut, useSession } from './lib/session.ts';
import { pages } from './pages/index.ts';
import { IconLogout, IconUserCircle } from './parts/icons/tabler.ts';
import { LanguageItem } from './parts/language-switch.tsx';
import { QuickSearch } from './parts/quick-search.tsx';
import { Shell } from './parts/shell.tsx';
import { ShortcutHelp } from './parts/shortcut-help.tsx';
import { text } from './texts/index.ts';

/** The console of a signed-in operator. */
export const App = () => <Shell pages={pages} search={<QuickSearch />} help={<ShortcutHelp />} account={<Account />} />;

function Account() {
  const { operator } = useSession();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={text.frame.signedInAs(operator.name)}>
          <IconUserCircle size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Group gap={6}>
            <Text size="sm">{operator.name}</Text>
            <Badge size="xs">{text.frame.roles[operator.role]}</Badge>
          </Group>
        </Menu.Label>
        <LanguageItem />
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          {text.frame.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

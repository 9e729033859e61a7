import { ActionIcon, Alert, Badge, Group, Menu, NavLink, Text } from '@mantine/core';
import { IconFileCheck, IconLogout, IconUserCircle } from '../page/parts/icons/tabler.ts';
import { LanguageItem } from '../page/parts/language-switch.tsx';
import { Shell } from '../page/parts/shell.tsx';
import { signOut, useSession } from './lib/session.ts';
import { pagesOf } from './pages/index.ts';
import { text } from './texts/index.ts';

/** The profile of a signed-in partner. */
export function App() {
  const { name, owner, kind, read_only } = useSession();
  return (
    <Shell
      pages={pagesOf(kind)}
      account={<Account />}
      belowPages={
        <>
          <NavLink
            href="/docs"
            target="_blank"
            label={text.signIn.docs}
            leftSection={<IconFileCheck size={18} stroke={1.6} aria-hidden />}
          />
          <Text size="xs" p="xs" className="break-anywhere">
            {text.frame.signedInAs(name)}
            <br />
            <span className="mono">{owner}</span>
          </Text>
        </>
      }
      above={
        read_only && (
          <Alert title={text.you.readOnly.title} mb="md">
            {text.you.readOnly.next}
          </Alert>
        )
      }
    />
  );
}

function Account() {
  const { name, kind } = useSession();
  return (
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
            <Badge size="xs">{text.you.kinds[kind]}</Badge>
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

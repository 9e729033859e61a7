import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Group,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import type { PageProps } from './lib/page-props.ts';
import { signOut, useSession } from './lib/session.ts';
import { type Page, pages, preload, useLoaded } from './pages/index.ts';
import { Frame } from './parts/frame.tsx';
import { Loading } from './parts/loading.tsx';
import { Logo } from './parts/logo.tsx';
import { NotFound, Problem } from './parts/problem.tsx';
import { QuickSearch } from './parts/quick-search.tsx';
import { ShortcutHelp } from './parts/shortcut-help.tsx';
import { ZoneSwitch } from './parts/zone-switch.tsx';

/** The frame around every page: header, menu and the open page. */
export function App() {
  const [opened, { toggle, close }] = useDisclosure();
  const [location] = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a phone the menu closes when a page opens.
  useEffect(close, [location]);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'sm', sm: 'md' }}
    >
      <SkipLink to="rows">Skip to the list</SkipLink>
      <SkipLink to="content">Skip to the content</SkipLink>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <Link href="/" className="plain-link">
              <Logo />
            </Link>
          </Group>
          <QuickSearch />
          <Group gap={4} wrap="nowrap">
            <ZoneSwitch />
            <ShortcutHelp />
            <SchemeToggle />
            <Account />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <ScrollArea>
          {pages
            .filter(({ icon }) => icon)
            .map((page) => (
              <PageLink key={page.path} page={page} location={location} />
            ))}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Switch>
          {pages.map((page) => (
            <Route key={page.path} path={page.path}>
              {(params) => <OpenPage page={page} params={params as Record<string, string>} />}
            </Route>
          ))}
          <Route>
            <Frame title="Not found">
              <NotFound title="There is no such page" />
            </Frame>
          </Route>
        </Switch>
      </AppShell.Main>
    </AppShell>
  );
}

/** The first links of every page, seen only while they have the focus. */
function SkipLink({ to, children }: { to: string; children: string }) {
  return (
    <a
      href={`#${to}`}
      className="skip-link"
      data-to={to}
      onClick={(event) => {
        // The address keeps its filters, and gets no fragment.
        event.preventDefault();
        document.getElementById(to)?.focus();
      }}
    >
      {children}
    </a>
  );
}

function OpenPage({ page, params }: PageProps & { page: Page }) {
  const { component: Component, error } = useLoaded(page);
  if (error)
    return <Problem title="This page could not be loaded" next="The gateway may be restarting or updated. Reload the page." />;
  return Component ? <Component params={params} /> : <Loading />;
}

function PageLink({ page: { path, title, icon: Icon }, location }: { page: Page; location: string }) {
  const active = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
  return (
    <NavLink
      component={Link}
      href={path}
      label={title}
      active={active}
      aria-current={active ? 'page' : undefined}
      onMouseEnter={() => preload(path)}
      leftSection={Icon && <Icon size={18} stroke={1.6} aria-hidden />}
    />
  );
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = shown === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Use ${other} colours`} onClick={() => setColorScheme(other)}>
      {shown === 'dark' ? <IconSun size={19} stroke={1.6} /> : <IconMoon size={19} stroke={1.6} />}
    </ActionIcon>
  );
}

function Account() {
  const { operator } = useSession();
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Signed in as ${operator.name}`}>
          <IconUserCircle size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Group gap={6}>
            <Text size="sm">{operator.name}</Text>
            <Badge size="xs" variant="light">
              {operator.role}
            </Badge>
          </Group>
        </Menu.Label>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

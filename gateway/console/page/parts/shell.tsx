import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  NavLink,
  ScrollArea,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { type ReactNode, useEffect } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import type { PageProps } from '../lib/page-props.ts';
import { zoneName } from '../lib/time.ts';
import { switchZone, useZone } from '../lib/zone.ts';
import { text } from '../texts/shared.ts';
import { Frame } from './frame.tsx';
import { IconMoon, IconSun } from './icons/tabler.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { Loading } from './loading.tsx';
import { Logo } from './logo.tsx';
import { type Page, preload, useLoaded } from './pages.ts';
import { NotFound, Problem } from './problem.tsx';

interface ShellProps {
  pages: readonly Page[];
  /** Shown in the middle of the header. */
  search?: ReactNode;
  /** A button that lists the keyboard's shortcuts. */
  help?: ReactNode;
  /** The menu of the viewer's account. */
  account: ReactNode;
  /** Shown above every page. */
  above?: ReactNode;
  /** Shown in the menu below the pages. */
  belowPages?: ReactNode;
}

/** The frame around every page: header, menu and the open page. */
export function Shell({ pages, search, help, account, above, belowPages }: ShellProps) {
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
      <SkipLink to="rows">{text.frame.skipToList}</SkipLink>
      <SkipLink to="content">{text.frame.skipToContent}</SkipLink>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={text.frame.menu} />
            <Link href="/" className="plain-link">
              <Logo />
            </Link>
          </Group>
          {search}
          <Group gap={4} wrap="nowrap">
            <LanguageSwitch visibleFrom="sm" />
            <ZoneSwitch />
            {help}
            <SchemeToggle />
            {account}
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={text.frame.pages}>
        <ScrollArea>
          {pages
            .filter(({ icon }) => icon)
            .map((page) => (
              <PageLink key={page.path} page={page} location={location} />
            ))}
          {belowPages}
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        {above}
        <Switch>
          {pages.map((page) => (
            <Route key={page.path} path={page.path}>
              {(params) => <OpenPage page={page} params={params as Record<string, string>} />}
            </Route>
          ))}
          <Route>
            <Frame title={text.frame.notFound}>
              <NotFound title={text.frame.noSuchPage} />
            </Frame>
          </Route>
        </Switch>
      </AppShell.Main>
    </AppShell>
  );
}

/** The first links of every page, seen only while they have the focus. */
const SkipLink = ({ to, children }: { to: string; children: string }) => (
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

function OpenPage({ page, params }: PageProps & { page: Page }) {
  const { component: Component, error } = useLoaded(page);
  if (error) return <Problem {...text.frame.notLoaded} />;
  return Component ? <Component params={params} /> : <Loading />;
}

function PageLink({ page, location }: { page: Page; location: string }) {
  const { path, title, icon: Icon } = page;
  const active = path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
  return (
    <NavLink
      component={Link}
      href={path}
      label={title}
      active={active}
      aria-current={active ? 'page' : undefined}
      onMouseEnter={() => preload([page], path)}
      leftSection={Icon && <Icon size={18} stroke={1.6} aria-hidden />}
    />
  );
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = shown === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={text.frame.use[other]} onClick={() => setColorScheme(other)}>
      {shown === 'dark' ? <IconSun size={19} stroke={1.6} /> : <IconMoon size={19} stroke={1.6} />}
    </ActionIcon>
  );
}

const texts = text.frame.zone;

/** Shows the zone of all times. Switches between UTC and the viewer's own. */
function ZoneSwitch() {
  const zone = useZone();
  useHotkeys([['u', switchZone]]);
  const title = zone === 'utc' ? texts.inUtc : texts.inLocal(zoneName('local'));
  return (
    <Button variant="subtle" color="gray" size="compact-sm" fw={500} aria-label={title} title={title} onClick={switchZone}>
      {zone === 'utc' ? 'UTC' : texts.local}
    </Button>
  );
}

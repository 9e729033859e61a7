import { Alert, NavLink, Text } from '@mantine/core';
import { AccountMenu } from '../page/parts/account-menu.tsx';
import { IconFileCheck } from '../page/parts/icons/tabler.ts';
import { preload as preloadPage } from '../page/parts/pages.ts';
import { Providers, type RootProps } from '../page/parts/providers.tsx';
import { Shell } from '../page/parts/shell.tsx';
import { signOut, useSession } from './lib/session.ts';
import { allPages, pagesOf } from './pages/index.ts';
import { SessionGate } from './session-gate.tsx';
import { text } from './texts/index.ts';

export const Root = (props: RootProps) => (
  <Providers base="/profile" {...props}>
    <SessionGate>
      <App />
    </SessionGate>
  </Providers>
);

export const preload = (path: string) => preloadPage(allPages, path);

/** The profile of a signed-in partner. */
function App() {
  const { name, owner, kind, read_only } = useSession();
  return (
    <Shell
      pages={pagesOf(kind)}
      account={<AccountMenu name={name} kind={text.you.kinds[kind]} signOut={signOut} />}
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

import { Alert, NavLink, Text } from '@mantine/core';
import { AccountMenu } from '../page/parts/account-menu.tsx';
import { IconFileCheck } from '../page/parts/icons/tabler.ts';
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

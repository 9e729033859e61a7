import { signOut, useSession } from './lib/session.ts';
import { pages } from './pages/index.ts';
import { AccountMenu } from './parts/account-menu.tsx';
import { preload as preloadPage } from './parts/pages.ts';
import { Providers, type RootProps } from './parts/providers.tsx';
import { QuickSearch } from './parts/quick-search.tsx';
import { Shell } from './parts/shell.tsx';
import { ShortcutHelp } from './parts/shortcut-help.tsx';
import { SessionGate } from './session-gate.tsx';
import { text } from './texts/index.ts';

export const Root = (props: RootProps) => (
  <Providers base="/console" {...props}>
    <SessionGate>
      <App />
    </SessionGate>
  </Providers>
);

export const preload = (path: string) => preloadPage(pages, path);

/** The console of a signed-in operator. */
function App() {
  const { name, role } = useSession().operator;
  return (
    <Shell
      pages={pages}
      search={<QuickSearch />}
      help={<ShortcutHelp />}
      account={<AccountMenu name={name} kind={text.frame.roles[role]} signOut={signOut} />}
    />
  );
}

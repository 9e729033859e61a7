import { signOut, useSession } from './lib/session.ts';
import { pages } from './pages/index.ts';
import { AccountMenu } from './parts/account-menu.tsx';
import { QuickSearch } from './parts/quick-search.tsx';
import { Shell } from './parts/shell.tsx';
import { ShortcutHelp } from './parts/shortcut-help.tsx';
import { text } from './texts/index.ts';

/** The console of a signed-in operator. */
export function App() {
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

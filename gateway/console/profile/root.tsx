import { preload as preloadPage } from '../page/parts/pages.ts';
import { Providers, type RootProps } from '../page/parts/providers.tsx';
import { App } from './app.tsx';
import { allPages } from './pages/index.ts';
import { SessionGate } from './session-gate.tsx';

/** The whole profile with its providers. */
export function Root(props: RootProps) {
  return (
    <Providers base="/profile" {...props}>
      <SessionGate>
        <App />
      </SessionGate>
    </Providers>
  );
}

export const preload = (path: string) => preloadPage(allPages, path);

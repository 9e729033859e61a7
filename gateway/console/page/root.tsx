import { App } from './app.tsx';
import { pages } from './pages/index.ts';
import { preload as preloadPage } from './parts/pages.ts';
import { Providers, type RootProps } from './parts/providers.tsx';
import { SessionGate } from './session-gate.tsx';

/** The whole console with its providers. */
export function Root(props: RootProps) {
  return (
    <Providers base="/console" {...props}>
      <SessionGate>
        <App />
      </SessionGate>
    </Providers>
  );
}

export const preload = (path: string) => preloadPage(pages, path);

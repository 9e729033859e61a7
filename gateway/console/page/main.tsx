import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './page.css';
import { createTheme, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { App } from './app.tsx';
import { queries } from './lib/queries.ts';
import { preload } from './pages/index.ts';
import { SessionGate } from './session-gate.tsx';

// The page's policy (CSP) lets in only styles that carry this reply's nonce; libraries ask for it under this name.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

const closable = { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } };

const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  // Where black and white on a colour are as easy to read: either has 4.5 to 1 then (WCAG 2.2, 1.4.3).
  luminanceThreshold: 0.18,
  defaultRadius: 'md',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  components: { Modal: closable, Drawer: closable },
});

// While it is asked who is signed in.
preload(location.pathname.replace(/^\/console/, '') || '/');

createRoot(document.getElementById('root') as HTMLElement).render(
  <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
    <Notifications position="bottom-right" />
    <QueryClientProvider client={queries}>
      <Router base="/console">
        <SessionGate>
          <App />
        </SessionGate>
      </Router>
    </QueryClientProvider>
  </MantineProvider>,
);

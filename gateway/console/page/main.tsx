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

// The content security policy accepts only styles with this response's nonce. Libraries read it from this global.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

const labelledCloseButton = { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } };

const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  // Chooses black or white text on a colour so that the contrast is at least 4.5 to 1 (WCAG 2.2, 1.4.3).
  luminanceThreshold: 0.18,
  defaultRadius: 'md',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  components: { Modal: labelledCloseButton, Drawer: labelledCloseButton },
});

// Runs at the same time as the request for the session.
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

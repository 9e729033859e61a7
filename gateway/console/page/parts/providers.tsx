import { createTheme, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { queries } from '../lib/queries.ts';
import { text } from '../texts/shared.ts';

/** A `header` in a dialog would be a second banner of the page. */
const noBanner = { defaultProps: { role: 'presentation' } };

const labelledCloseButton = { defaultProps: { closeButtonProps: { 'aria-label': text.parts.close } } };

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
  components: { Modal: labelledCloseButton, Drawer: labelledCloseButton, ModalHeader: noBanner, DrawerHeader: noBanner },
});

export interface RootProps {
  /** The nonce for styles that the content security policy of this response accepts. */
  nonce: string;
  /** `test` turns transitions off. */
  env?: 'default' | 'test';
}

interface ProvidersProps extends RootProps {
  /** The path that all addresses of the page begin with. */
  base: string;
  children: ReactNode;
}

/** What the components of a page need around them: the theme, notifications, everything read, and the address. */
export function Providers({ nonce, env = 'default', base, children }: ProvidersProps) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce} env={env}>
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <Router base={base}>{children}</Router>
      </QueryClientProvider>
    </MantineProvider>
  );
}

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { queries } from '../lib/queries.ts';
import { cssVariables, theme } from './theme.ts';

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
export const Providers = ({ nonce, env = 'default', base, children }: ProvidersProps) => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={cssVariables}
    defaultColorScheme="auto"
    getStyleNonce={() => nonce}
    env={env}
  >
    <Notifications position="bottom-right" />
    <QueryClientProvider client={queries}>
      <Router base={base}>{children}</Router>
    </QueryClientProvider>
  </MantineProvider>
);

import {
  IconArrowsExchange,
  IconBell,
  IconKey,
  IconPlugConnected,
  IconSend,
  IconUserCircle,
} from '../../page/parts/icons/tabler.ts';
import type { Page } from '../../page/parts/pages.ts';
import type { Session } from '../lib/session.ts';
import { text } from '../texts/index.ts';

const tokens: Page = { path: '/tokens', title: text.credentials.tokens.title, icon: IconKey, load: () => import('./tokens.tsx') };
const keys: Page = { path: '/keys', title: text.credentials.keys.title, icon: IconKey, load: () => import('./keys.tsx') };

const first: Page = { path: '/', title: text.you.title, icon: IconUserCircle, load: () => import('./you.tsx') };

const others: readonly Page[] = [
  { path: '/endpoints', title: text.webhooks.title, icon: IconPlugConnected, load: () => import('./endpoints.tsx') },
  { path: '/endpoints/:id', title: text.webhooks.title, load: () => import('./endpoint.tsx') },
  { path: '/deliveries', title: text.deliveries.title, icon: IconSend, load: () => import('./deliveries.tsx') },
  { path: '/deliveries/:id', title: text.delivery.title, load: () => import('./delivery.tsx') },
  { path: '/alerts', title: text.alerts.title, icon: IconBell, load: () => import('./alerts.tsx') },
  { path: '/alerts/:part', title: text.alerts.title, load: () => import('./alerts.tsx') },
  { path: '/calls', title: text.calls.title, icon: IconArrowsExchange, load: () => import('./calls.tsx') },
  { path: '/calls/:id', title: text.call.title, load: () => import('./call.tsx') },
];

const credentials: Readonly<Record<Session['kind'], Page>> = { user: tokens, account: keys };

/** The pages of a partner, by path below /profile. Users have tokens, accounts have API keys. */
export const pagesOf = (kind: Session['kind']): readonly Page[] => [first, credentials[kind], ...others];

export const allPages: readonly Page[] = [first, tokens, keys, ...others];

import {
  IconActivityHeartbeat,
  IconArrowsExchange,
  IconBell,
  IconBolt,
  IconBuildingStore,
  IconFileCheck,
  IconGauge,
  IconHistory,
  IconPlugConnected,
  IconSend,
  IconTimeline,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ComponentType, useEffect, useState } from 'react';
import type { PageProps } from '../lib/page-props.ts';

export interface Page {
  path: string;
  title: string;
  /** Only pages with an icon are in the menu. */
  icon?: TablerIcon;
  load(): Promise<{ default: ComponentType<PageProps> }>;
}

/** Every page by its path below /console. Its code is loaded when the page is first opened. */
export const pages: readonly Page[] = [
  { path: '/', title: 'Overview', icon: IconActivityHeartbeat, load: () => import('./overview/page.tsx') },
  { path: '/deliveries', title: 'Deliveries', icon: IconSend, load: () => import('./deliveries/page.tsx') },
  { path: '/deliveries/:id', title: 'Delivery', load: () => import('./delivery/page.tsx') },
  { path: '/endpoints', title: 'Endpoints', icon: IconPlugConnected, load: () => import('./endpoints/page.tsx') },
  { path: '/endpoints/:id', title: 'Endpoint', load: () => import('./endpoint/page.tsx') },
  { path: '/events', title: 'Events', icon: IconBolt, load: () => import('./events/page.tsx') },
  { path: '/events/:id', title: 'Event', load: () => import('./event/page.tsx') },
  { path: '/calls', title: 'Calls', icon: IconArrowsExchange, load: () => import('./calls/page.tsx') },
  { path: '/calls/:id', title: 'Call', load: () => import('./call/page.tsx') },
  { path: '/story', title: 'Story', icon: IconTimeline, load: () => import('./story/page.tsx') },
  { path: '/limits', title: 'Limits', icon: IconGauge, load: () => import('./limits/page.tsx') },
  { path: '/alerts', title: 'Alerts', icon: IconBell, load: () => import('./alerts/page.tsx') },
  { path: '/alerts/:part', title: 'Alerts', load: () => import('./alerts/page.tsx') },
  { path: '/back-office', title: 'Back office', icon: IconBuildingStore, load: () => import('./back-office/page.tsx') },
  { path: '/back-office/:part', title: 'Back office', load: () => import('./back-office/page.tsx') },
  { path: '/contracts', title: 'Contracts', icon: IconFileCheck, load: () => import('./contracts/page.tsx') },
  { path: '/contracts/:part', title: 'Contracts', load: () => import('./contracts/page.tsx') },
  { path: '/operators', title: 'Operators', icon: IconUsers, load: () => import('./operators/page.tsx') },
  { path: '/audit', title: 'Audit', icon: IconHistory, load: () => import('./audit/page.tsx') },
];

const loaded = new Map<Page['load'], ComponentType<PageProps>>();

async function load(page: Page): Promise<ComponentType<PageProps>> {
  const { default: component } = await page.load();
  loaded.set(page.load, component);
  return component;
}

/** Starts to load the code of the page at `path`. Ignores errors: opening the page loads again and shows them. */
export function preload(path: string): void {
  const [, first = '', ...rest] = path.split('/');
  const found = pages.find((page) => page.path.split('/')[1] === first && page.path.split('/').length - 2 === rest.length);
  if (found) load(found).catch(() => {});
}

/** Returns a page's component, or null until it is loaded. React's `lazy` would delay each new page by 300 ms. */
export function useLoaded(page: Page): { component: ComponentType<PageProps> | null; error: Error | null } {
  const [state, setState] = useState({ component: loaded.get(page.load) ?? null, error: null as Error | null });
  const { component } = state;
  useEffect(() => {
    if (component) return;
    load(page).then(
      (loadedComponent) => setState({ component: loadedComponent, error: null }),
      (error: Error) => setState({ component: null, error }),
    );
  }, [page, component]);
  return state;
}

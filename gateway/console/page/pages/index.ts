import {
  IconActivityHeartbeat,
  IconArrowsExchange,
  IconBolt,
  IconBuildingStore,
  IconFileCheck,
  IconGauge,
  IconPlugConnected,
  IconSend,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ComponentType, useEffect, useState } from 'react';

export interface PageProps {
  /** The parts of the address that the path names. */
  params: Record<string, string>;
}

export interface Page {
  path: string;
  title: string;
  /** Pages with one are in the menu. */
  icon?: TablerIcon;
  load(): Promise<{ default: ComponentType<PageProps> }>;
}

/** Every page of the console, by its address below /console. Each is loaded when it is first opened. */
export const pages: readonly Page[] = [
  { path: '/', title: 'Overview', icon: IconActivityHeartbeat, load: () => import('./overview.tsx') },
  { path: '/deliveries', title: 'Deliveries', icon: IconSend, load: () => import('./deliveries.tsx') },
  { path: '/deliveries/:id', title: 'Delivery', load: () => import('./delivery.tsx') },
  { path: '/endpoints', title: 'Endpoints', icon: IconPlugConnected, load: () => import('./endpoints.tsx') },
  { path: '/endpoints/:id', title: 'Endpoint', load: () => import('./endpoint.tsx') },
  { path: '/events', title: 'Events', icon: IconBolt, load: () => import('./events.tsx') },
  { path: '/events/:id', title: 'Event', load: () => import('./event.tsx') },
  { path: '/calls', title: 'Calls', icon: IconArrowsExchange, load: () => import('./calls.tsx') },
  { path: '/calls/:id', title: 'Call', load: () => import('./call.tsx') },
  { path: '/limits', title: 'Limits', icon: IconGauge, load: () => import('./limits.tsx') },
  { path: '/back-office', title: 'Back office', icon: IconBuildingStore, load: () => import('./back-office.tsx') },
  { path: '/back-office/:part', title: 'Back office', load: () => import('./back-office.tsx') },
  { path: '/contracts', title: 'Contracts', icon: IconFileCheck, load: () => import('./contracts.tsx') },
  { path: '/contracts/:part', title: 'Contracts', load: () => import('./contracts.tsx') },
  { path: '/operators', title: 'Operators', icon: IconUsers, load: () => import('./operators.tsx') },
];

const loaded = new Map<Page['load'], ComponentType<PageProps>>();

async function load(page: Page): Promise<ComponentType<PageProps>> {
  const { default: component } = await page.load();
  loaded.set(page.load, component);
  return component;
}

/** Begins to load the page at this address before it is shown. Where it fails, the page itself says so when it is opened. */
export function preload(path: string): void {
  const [, first = '', ...rest] = path.split('/');
  const found = pages.find((page) => page.path.split('/')[1] === first && page.path.split('/').length - 2 === rest.length);
  if (found) load(found).catch(() => {});
}

/** The component of a page, null until it is loaded. (React's `lazy` would hold back what it shows for 300 ms.) */
export function useLoaded(page: Page): { component: ComponentType<PageProps> | null; error: Error | null } {
  const [state, setState] = useState({ component: loaded.get(page.load) ?? null, error: null as Error | null });
  const { component: shown } = state;
  useEffect(() => {
    // What is shown decides, not what is loaded by now: that may have come since it was asked above.
    if (shown) return;
    load(page).then(
      (component) => setState({ component, error: null }),
      (error: Error) => setState({ component: null, error }),
    );
  }, [page, shown]);
  return state;
}

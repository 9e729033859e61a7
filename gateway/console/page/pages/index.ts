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
import { type ComponentType, lazy } from 'react';

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
  page: ComponentType<PageProps>;
}

/** Every page of the console, by its address below /console. Each is loaded when it is first opened. */
const listed: readonly Omit<Page, 'page'>[] = [
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

export const pages: readonly Page[] = listed.map((page) => ({ ...page, page: lazy(page.load) }));

/** Begins to load the page at this address before it is shown. */
export function preload(path: string): void {
  const [, first = '', ...rest] = path.split('/');
  const levels = rest.length;
  void pages.find((page) => page.path.split('/')[1] === first && page.path.split('/').length - 2 === levels)?.load();
}

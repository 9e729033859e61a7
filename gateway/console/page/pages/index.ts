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
  page: ComponentType<PageProps>;
}

/** Every page of the console, by its address below /console. Each is loaded when it is first opened. */
export const pages: readonly Page[] = [
  { path: '/', title: 'Overview', icon: IconActivityHeartbeat, page: lazy(() => import('./overview.tsx')) },
  { path: '/deliveries', title: 'Deliveries', icon: IconSend, page: lazy(() => import('./deliveries.tsx')) },
  { path: '/deliveries/:id', title: 'Delivery', page: lazy(() => import('./delivery.tsx')) },
  { path: '/endpoints', title: 'Endpoints', icon: IconPlugConnected, page: lazy(() => import('./endpoints.tsx')) },
  { path: '/endpoints/:id', title: 'Endpoint', page: lazy(() => import('./endpoint.tsx')) },
  { path: '/events', title: 'Events', icon: IconBolt, page: lazy(() => import('./events.tsx')) },
  { path: '/events/:id', title: 'Event', page: lazy(() => import('./event.tsx')) },
  { path: '/calls', title: 'Calls', icon: IconArrowsExchange, page: lazy(() => import('./calls.tsx')) },
  { path: '/calls/:id', title: 'Call', page: lazy(() => import('./call.tsx')) },
  { path: '/limits', title: 'Limits', icon: IconGauge, page: lazy(() => import('./limits.tsx')) },
  { path: '/back-office', title: 'Back office', icon: IconBuildingStore, page: lazy(() => import('./back-office.tsx')) },
  { path: '/back-office/:part', title: 'Back office', page: lazy(() => import('./back-office.tsx')) },
  { path: '/contracts', title: 'Contracts', icon: IconFileCheck, page: lazy(() => import('./contracts.tsx')) },
  { path: '/contracts/:part', title: 'Contracts', page: lazy(() => import('./contracts.tsx')) },
  { path: '/operators', title: 'Operators', icon: IconUsers, page: lazy(() => import('./operators.tsx')) },
];

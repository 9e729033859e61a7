import { hasFigures, isStub } from '../lib/stub.ts';
import {
  IconActivityHeartbeat,
  IconAdjustments,
  IconArrowsExchange,
  IconBell,
  IconBolt,
  IconBuildingStore,
  IconGauge,
  IconHistory,
  IconPlugConnected,
  IconSend,
  IconUsers,
} from '../parts/icons/tabler.ts';
import type { Page } from '../parts/pages.ts';
import { text } from '../texts/index.ts';

/** The pages of a gateway by their path below /console. */
const ofGateway: readonly Page[] = [
  { path: '/', title: text.overview.title, icon: IconActivityHeartbeat, load: () => import('./overview/page.tsx') },
  { path: '/deliveries', title: text.deliveries.title, icon: IconSend, load: () => import('./deliveries/page.tsx') },
  { path: '/deliveries/:id', title: text.delivery.title, load: () => import('./delivery/page.tsx') },
  { path: '/endpoints', title: text.endpoints.title, icon: IconPlugConnected, load: () => import('./endpoints/page.tsx') },
  { path: '/endpoints/:id', title: text.endpoint.title, load: () => import('./endpoint/page.tsx') },
  { path: '/events', title: text.events.title, icon: IconBolt, load: () => import('./events/page.tsx') },
  { path: '/events/:id', title: text.event.title, load: () => import('./event/page.tsx') },
  { path: '/calls', title: text.calls.title, icon: IconArrowsExchange, load: () => import('./calls/page.tsx') },
  { path: '/calls/:id', title: text.call.title, load: () => import('./call/page.tsx') },
  { path: '/limits', title: text.limits.title, icon: IconGauge, load: () => import('./limits/page.tsx') },
  { path: '/alerts', title: text.alerts.title, icon: IconBell, load: () => import('./alerts/page.tsx') },
  { path: '/alerts/:part', title: text.alerts.title, load: () => import('./alerts/page.tsx') },
  { path: '/back-office', title: text.backOffice.title, icon: IconBuildingStore, load: () => import('./back-office/page.tsx') },
  { path: '/back-office/:part', title: text.backOffice.title, load: () => import('./back-office/page.tsx') },
  { path: '/operators', title: text.operators.title, icon: IconUsers, load: () => import('./operators/page.tsx') },
  { path: '/audit', title: text.audit.title, icon: IconHistory, load: () => import('./audit/page.tsx') },
];

const loadStub = () => import('./stub/page.tsx');

/** Controls the stub that serves this console. */
const ofStub: readonly Page[] = [
  { path: '/stub', title: text.stub.title, icon: IconAdjustments, load: loadStub },
  { path: '/stub/:part', title: text.stub.title, load: loadStub },
];

/** These show figures only. */
const needFigures = ['/', '/limits'];

/** Every page. Its code is loaded when the page is first opened. */
export const pages: readonly Page[] = [
  ...(isStub ? ofStub : []),
  ...(hasFigures ? [] : [{ path: '/', title: text.stub.title, load: loadStub }]),
  ...ofGateway.filter(({ path }) => hasFigures || !needFigures.includes(path)),
];

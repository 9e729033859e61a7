import type { WebhookSettings } from '../webhooks/webhooks.ts';
import { allowedNetworks, allowsLoopbackDelivery, type Settings } from './config.ts';

export const webhookSettings = (settings: Settings): Partial<WebhookSettings> => ({
  signatureHeader: settings.WEBHOOK_SIGNATURE_HEADER,
  scheduleSeconds: settings.WEBHOOK_RETRY_SECONDS,
  deadlineMs: settings.WEBHOOK_DEADLINE_MS,
  concurrency: settings.WEBHOOK_CONCURRENCY,
  disableAfterMs: settings.WEBHOOK_DISABLE_AFTER_HOURS * 3_600_000,
  allowLoopback: allowsLoopbackDelivery(settings),
  allowNetworks: allowedNetworks(settings),
  proxyUrl: settings.WEBHOOK_PROXY_URL,
  reconcileEveryMs: settings.RECONCILE_SECONDS * 1000,
  graceMs: settings.WEBHOOK_DEADLINE_MS + Math.min(settings.WEBHOOK_DEADLINE_MS, 5000),
});

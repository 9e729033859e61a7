import type { ServiceName } from '../../../spec/documents/services.ts';
import type { Exchange } from '../../../spec/gaps/is/is.ts';
import { askedBy } from '../../../spec/openapi/asked.ts';
import { type Listening, type ListenOptions, NotForwarded, openPassing } from './proxy.ts';
import type { Upstream } from './upstream.ts';
import type { Webhook } from './webhook.ts';

export interface ForwardOptions extends ListenOptions {
  api: ServiceName;
  upstream: Upstream;
  /** False: only reads, and requests for a token, reach the service. */
  allowWrites: boolean;
  onCall(exchange: Exchange): void;
}

/** Opens a server that forwards calls to the service unchanged. It answers refusals of its own in the API's style. */
export const openForwarding = ({ api, upstream, allowWrites, onCall, ...listen }: ForwardOptions): Promise<Listening> =>
  openPassing({
    ...listen,
    to: upstream,
    option: '--port',
    pathOf(method, url) {
      if (!url.startsWith('/')) throw new NotForwarded(400, 'not_a_path', 'call it as the service itself, and not as a proxy.');
      const isToken = api === 'pos' && method === 'POST' && /^\/api(\/v1)?\/auth(\?|$)/.test(url);
      const advice = 'Start observe with --allow-writes if they may.';
      const why = `${method} calls may change data of ${upstream.origin}, so this one was not forwarded. ${advice}`;
      if (!allowWrites && !['GET', 'HEAD', 'OPTIONS'].includes(method) && !isToken)
        throw new NotForwarded(api === 'pos' ? 400 : 403, 'writes_not_allowed', why);
      return `${upstream.path}${url}`;
    },
    onPassed({ method, url, headers, body, reply }) {
      if (method === 'HEAD' || method === 'OPTIONS') return;
      const request = askedBy(api, method, url, headers, '');
      onCall({ request: { ...request, body }, reply });
    },
    bodyOf: ({ code, message }) => (api === 'pos' ? { success: false, error: { code, message, details: [] } } : { message }),
  });

export interface ReceiveOptions extends ListenOptions {
  receiver: Upstream;
  onWebhook(webhook: Webhook): void;
}

/** Opens a server for webhooks. It has a port of its own, so that a tunnel to it does not open the way to the service too. */
export async function openReceiving({ receiver, onWebhook, ...listen }: ReceiveOptions): Promise<Listening> {
  const { path } = receiver;
  const listening = await openPassing({
    ...listen,
    to: receiver,
    option: '--webhooks-port',
    pathOf(_, url) {
      if (url === path) return path;
      throw new NotForwarded(404, 'not_the_receiver', `webhooks are passed on under ${path.split('?')[0]} only.`);
    },
    onPassed: ({ method, ...webhook }) => method === 'POST' && onWebhook(webhook),
    bodyOf: ({ message }) => ({ message }),
  });
  return { ...listening, url: `${listening.url}${path}` };
}

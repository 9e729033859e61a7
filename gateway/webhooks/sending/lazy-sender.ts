import type { Sender, SenderOptions } from './send.ts';

/** Returns a sender that loads its HTTP client when the first attempt is made, or when `load` is called. */
export function lazySender(options: SenderOptions): Pick<Sender, 'post' | 'close' | 'abort'> & { load(): void } {
  let opened: Promise<Sender> | undefined;
  const open = () => {
    opened ??= import('./send.ts').then(({ Sender: Opened }) => new Opened(options));
    return opened;
  };
  return {
    load: () => void open(),
    post: async (...request) => (await open()).post(...request),
    close: async () => (await opened)?.close(),
    abort: async () => (await opened)?.abort(),
  };
}

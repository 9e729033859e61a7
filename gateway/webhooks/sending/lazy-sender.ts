import type { Sender, SenderOptions } from './send.ts';

/** A sender whose HTTP client is loaded by the first attempt, or before it where asked to. */
export function lazySender(options: SenderOptions): Pick<Sender, 'post' | 'close' | 'breakOff'> & { load(): void } {
  let opened: Promise<Sender> | undefined;
  const open = () => {
    opened ??= import('./send.ts').then(({ Sender: Opened }) => new Opened(options));
    return opened;
  };
  return {
    load: () => void open(),
    post: async (...request) => (await open()).post(...request),
    close: async () => (await opened)?.close(),
    breakOff: async () => (await opened)?.breakOff(),
  };
}

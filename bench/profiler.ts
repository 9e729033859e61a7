/**
 * Preloaded into a server that is to be profiled (`node --import ./bench/profiler.ts`), and so into each of its threads. The
 * parent process sends `{ profile: 'start' }`, and every thread samples itself; then `{ profile: 'stop', folder }`, and each
 * writes its `.cpuprofile` there. The main thread answers each order when all threads have obeyed.
 */
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

type Order = { profile: 'start' } | { profile: 'stop'; folder: string };
/** What threads tell each other: the main thread passes orders on, the others say that they began or that they obeyed. */
type Message = Order | 'began' | 'obeyed';

const samplingUs = 500;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: samplingUs });

async function obey(order: Order): Promise<void> {
  if (order.profile === 'start') return session.post('Profiler.start');
  const { profile } = await session.post('Profiler.stop');
  const name = isMainThread ? 'main' : `thread-${threadId}`;
  writeFileSync(join(order.folder, `${name}.cpuprofile`), JSON.stringify(profile));
}

const threads = new BroadcastChannel('profiler');
threads.unref();
const tell = (message: Message) => threads.postMessage(message);

function lead(): void {
  let others = 0;
  let obeyed = 0;
  let allObeyed = () => {};
  threads.onmessage = (event: { data: unknown }) => {
    if (event.data === 'began') others += 1;
    else if (++obeyed === others) allObeyed();
  };
  process.on('message', async (order: Order) => {
    obeyed = 0;
    const all = new Promise<void>((resolve) => {
      allObeyed = resolve;
    });
    tell(order);
    await obey(order);
    if (obeyed < others) await all;
    process.send?.('obeyed');
  });
}

function follow(): void {
  threads.onmessage = async (event: { data: unknown }) => {
    const message = event.data as Message;
    if (typeof message === 'string') return;
    await obey(message);
    tell('obeyed');
  };
  tell('began');
}

if (isMainThread) lead();
else follow();

import { type FileHandle, open } from 'node:fs/promises';
import type { LogSync } from './durable-files.ts';

/** Syncs PostgreSQL's log beside its thread. All commits that arrive during one sync share the next. */
export class LogSyncer {
  #asked: LogSync = { asked: 0, file: '' };
  #synced = 0;
  #running: Promise<void> | undefined;
  #open: { file: string; handle: FileHandle } | undefined;

  /** Resolves when the log is on the disk up to the place that `sync` names. Returns undefined if it is there already. */
  until(sync: LogSync): Promise<void> | undefined {
    if (sync.asked > this.#asked.asked) this.#asked = sync;
    return this.#synced >= sync.asked ? undefined : this.#reach(sync.asked);
  }

  async #reach(asked: number): Promise<void> {
    while (this.#synced < asked) {
      this.#running ??= this.#sync().finally(() => {
        this.#running = undefined;
      });
      await this.#running;
    }
  }

  async #sync(): Promise<void> {
    const { asked, file } = this.#asked;
    const handle = await this.#handleOf(file);
    await handle?.datasync();
    this.#synced = asked;
  }

  /** Returns undefined for a file that PostgreSQL has closed and renamed or removed: it was synced before. */
  async #handleOf(file: string): Promise<FileHandle | undefined> {
    if (this.#open?.file === file) return this.#open.handle;
    await this.close();
    try {
      this.#open = { file, handle: await open(file, 'r+') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return this.#open?.handle;
  }

  async close(): Promise<void> {
    const handle = this.#open?.handle;
    this.#open = undefined;
    await handle?.close();
  }
}

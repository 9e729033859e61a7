import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './font/font.css';
import './page.css';
import { type ComponentType, createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { type Connection, connectApi } from './lib/api.ts';
import { language } from './lib/language.ts';

interface Start {
  /** The path that all addresses of the page begin with. */
  base: string;
  connection: Connection;
  loadTexts(): Promise<void>;
  /** Loads the page's other modules. They read the texts when they are loaded, so that happens after `loadTexts`. */
  load(): Promise<{ Root: ComponentType<{ nonce: string }>; preload(path: string): void }>;
}

/** Shows a page: the console, or the profile of partners. */
export async function start({ base, connection, loadTexts, load }: Start): Promise<void> {
  // The content security policy accepts only styles with this response's nonce. Libraries read it from this global.
  const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
  Object.assign(globalThis, { __webpack_nonce__: nonce });
  document.documentElement.lang = language;
  connectApi(connection);
  await loadTexts();
  const { Root, preload } = await load();
  // Runs at the same time as the request for the session.
  preload(location.pathname.slice(base.length) || '/');
  createRoot(document.getElementById('root') as HTMLElement).render(createElement(Root, { nonce }));
}

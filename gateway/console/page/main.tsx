import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './page.css';
import { createRoot } from 'react-dom/client';
import { preload } from './pages/index.ts';
import { Root } from './root.tsx';

// The content security policy accepts only styles with this response's nonce. Libraries read it from this global.
const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content ?? '';
Object.assign(globalThis, { __webpack_nonce__: nonce });

// Runs at the same time as the request for the session.
preload(location.pathname.replace(/^\/console/, '') || '/');

createRoot(document.getElementById('root') as HTMLElement).render(<Root nonce={nonce} />);

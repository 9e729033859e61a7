import { escapeHtml } from '../escape.ts';
import { pages } from '../layout.ts';
import { ownCss, ownDialog, ownLinks } from './own-panel.ts';

interface Source {
  /** The last part of the page's address and of the document's: `pos`. */
  name: string;
  title: string;
  /** Filled in as the bearer token. */
  token?: string | undefined;
}

/**
 * The Content-Security-Policy of the reference page. Scripts and calls stay on this server. The library sets style
 * attributes, and its style elements carry the nonce.
 */
export const referencePolicy = (nonce: string): string =>
  [
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data:; font-src 'self'",
    `style-src-elem 'nonce-${nonce}'; style-src-attr 'unsafe-inline'`,
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ].join('; ');

/** A webhook goes to the partner's own server, so its form would have nowhere to send. */
const webhookForm = '#reference [id*="/webhook/"] .show-api-client-button { display: none; }';

const css = `
:root { --scalar-custom-header-height: 44px; --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }
body { margin: 0; }
.site { position: sticky; top: 0; z-index: 10; display: flex; gap: 1.25rem; align-items: center; height: 44px; padding: 0 1rem; overflow-x: auto; white-space: nowrap; font: 0.9rem/1.5 system-ui, sans-serif; background: var(--scalar-background-1, Canvas); border-bottom: 1px solid var(--scalar-border-color, GrayText); }
.site a { color: var(--scalar-color-1, CanvasText); }
.site a[aria-current] { font-weight: bold; text-decoration: none; }
${webhookForm}
${ownCss}
noscript { display: block; margin: 1rem; font: 1rem/1.5 system-ui, sans-serif; }
`;

export interface ReferencePage {
  sources: readonly Source[];
  nonce: string;
  /** The version of the library's script. */
  version: string;
  /** True if this server has a profile, whose partners see their own values. */
  hasProfile: boolean;
}

/** The page at /docs. Its library renders the documents and sends requests. Without scripts it only has links. */
export function referencePage({ sources, nonce, version, hasProfile }: ReferencePage): string {
  const links = pages.map(({ path, title }) => `<a href="${path}"${path === '/docs' ? ' aria-current="page"' : ''}>${title}</a>`);
  const documents = sources.map(({ name, title }) => `<a href="/docs/${name}.json">${escapeHtml(title)}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" content="${nonce}">
<link rel="icon" href="data:,">
<title>API reference - Passerelle</title>
<style nonce="${nonce}">${css}</style>
<script type="module" src="/docs/reference/start.js"></script>
<script src="/docs/reference/scalar.js?version=${version}" defer></script>
</head>
<body>
<nav class="site" aria-label="Documentation">${links.join('\n')}${hasProfile ? ownLinks : ''}</nav>
${hasProfile ? ownDialog : ''}<noscript><p>The API reference needs JavaScript. The guides and the gap register do not. The OpenAPI documents:
${documents.join(', ')}.</p></noscript>
<div id="reference" data-sources="${escapeHtml(JSON.stringify(sources))}"></div>
</body>
</html>
`;
}

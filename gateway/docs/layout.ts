import { createHash } from 'node:crypto';

/** Colours have a contrast of at least 4.5 to 1 in both schemes (WCAG 2.2, 1.4.3). */
const css = `
:root { color-scheme: light dark; --back: #fff; --text: #1d2330; --quiet: #565e6d; --line: #d5dae2; --card: #f6f7f9; --link: #0b57a4; --mark: #fff3c4; }
@media (prefers-color-scheme: dark) { :root { --back: #14171d; --text: #e4e7ec; --quiet: #a4adbb; --line: #333a46; --card: #1c2129; --link: #85b9f5; --mark: #3d3413; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1rem 4rem; max-width: 52rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); }
a:focus-visible, pre:focus-visible, .table:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
.site { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; padding-bottom: 0.75rem; border-bottom: 1px solid var(--line); }
.site a[aria-current] { color: inherit; font-weight: bold; text-decoration: none; }
h1, h2, h3, h4 { line-height: 1.25; scroll-margin-top: 1rem; }
h2 { margin: 3rem 0 0.75rem; border-bottom: 2px solid var(--line); }
h3 { margin: 2rem 0 0.75rem; }
code, pre { font-family: ui-monospace, monospace; font-size: 0.875em; }
code { overflow-wrap: anywhere; }
pre { padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); }
pre code { font-size: inherit; overflow-wrap: normal; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 4px solid var(--line); color: var(--quiet); }
article { margin: 0 0 1rem; padding: 0.75rem 1rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); scroll-margin-top: 1rem; overflow-wrap: anywhere; }
article:target { background: var(--mark); }
article h4 { margin: 0; font-size: 1.05rem; }
.id { margin: 0 0 0.5rem; color: var(--quiet); font-size: 0.85rem; }
nav ul, dd ul { margin: 0; padding-left: 1.25rem; }
dl { margin: 0; }
dt { margin-top: 0.5rem; color: var(--quiet); font-size: 0.85rem; }
dd { margin: 0; }
q { font-style: italic; }
@media (min-width: 40rem) { dl { display: grid; grid-template-columns: 7rem 1fr; gap: 0.4rem 1rem; } dt { margin-top: 0.15rem; } }
`;

/** The Content-Security-Policy of a page without scripts: its style sheet, and images from this server. */
export const textPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(css).digest('base64')}'`,
  "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** The pages at /docs, which link to each other. */
export const pages = [
  { path: '/docs', title: 'API reference' },
  { path: '/docs/guides', title: 'Guides' },
  { path: '/docs/gaps', title: 'Gap register' },
] as const;

export interface TextPage {
  title: string;
  /** The path of the entry in `pages` that it belongs to. */
  path: (typeof pages)[number]['path'];
  /** Trusted HTML. */
  main: string;
}

/** One HTML page without scripts. Serve it with `textPolicy`. */
export function textPage({ title, path, main }: TextPage): string {
  const links = pages.map(
    (page) => `<a href="${page.path}"${page.path === path ? ' aria-current="page"' : ''}>${page.title}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)} - Passerelle</title>
<style>${css}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<nav class="site" aria-label="Documentation">${links.join('\n')}</nav>
<main id="main">${main}
</main>
</body>
</html>
`;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

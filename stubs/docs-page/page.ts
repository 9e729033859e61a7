import { createHash } from 'node:crypto';
import { jsonSchema, type Operation } from '../../contracts/openapi/document.ts';
import { eventsOf, openApi, operationsOf, type ProviderOperation } from '../../contracts/openapi/operations.ts';
import { escapeHtml } from '../../gateway/manage/gaps/page.ts';
import type { Credentials, StubApi } from '../credentials.ts';
import { exampleOf as exampleOfSchema } from '../faults/index.ts';
import { exampleOf } from '../help/example.ts';
import { type HelpParts, shownExample } from '../help/help.ts';
import { field, fieldsOf, gapLinks, prose } from './schema.ts';
import { css } from './style.ts';

export type PageParts = HelpParts<StubApi>;

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page's Content-Security-Policy: its one style sheet, by hash, its one script, and calls of this stub. */
export const policy = [
  "default-src 'none'; script-src 'self'; connect-src 'self'",
  `style-src ${hashOf(css)}`,
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
].join('; ');

/** The API of a stub as one page: to read without scripts, and to try with the stub's own data and credentials. */
export function tryPage(parts: PageParts): string {
  const { api, url } = parts;
  const { title = '', description = '' } = openApi[api].info as { title?: string; description?: string };
  const operations = operationsOf(api);
  const events = Object.entries(eventsOf(api));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}: a stub to try</title>
<style>${css}</style>
<script src="/docs/try.js" defer></script>
</head>
<body>
<a class="skip" href="#operations">Skip to the operations</a>
<header>
<h1>${escapeHtml(title)}</h1>
${paragraphs(description)}
<p>A stub at <code>${escapeHtml(url)}</code>. See also <a href="/docs/gaps">the gap register</a>, and the OpenAPI documents
<a href="/docs/${api}.json">of this API</a> and <a href="/docs/manage.json">of the manage API</a>.</p>
<noscript><p>Without scripts this page is to be read; the lines for a shell do what its forms would do.</p></noscript>
<form id="signed-in"${signIn(parts)} hidden><label>Token, sent as Authorization: Bearer${api === 'pos' ? '; the first call that needs one gets it' : ''}
<input id="token" autocomplete="off" spellcheck="false" value="${escapeHtml(tokenOf(parts))}"></label></form>
<nav aria-label="Contents"><ul>
${operations.map((one) => `<li>${link(one.operation.operationId, `${one.method} ${one.path}`)}</li>`).join('')}
${events.map(([type]) => `<li>${link(type, type)}</li>`).join('')}
</ul></nav>
</header>
<main id="operations">
<h2>Operations</h2>
${operations.map((one) => operationArticle(parts, one)).join('')}
<h2>Events</h2>
<p>Sent as signed webhooks: <code>passerelle trigger ${escapeHtml(events[0]?.[0] ?? '')} --at ${escapeHtml(url)} --to
http://127.0.0.1:3000/hook</code></p>
${events.map(([type, operation]) => eventArticle(type, operation)).join('')}
</main>
</body>
</html>
`;
}

const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .map((one) => `<p>${prose(one)}</p>`)
    .join('\n');
const link = (id = '', text: string) => `<a href="#${escapeHtml(id)}"><code>${escapeHtml(text)}</code></a>`;
const json = (value: unknown) => escapeHtml(JSON.stringify(value, null, 2));
const isOpen = ({ security }: Operation) => security?.length === 0;

const tokenOf = ({ api, credentials }: PageParts) => (api === 'cohesion' ? (credentials as Credentials['cohesion']).token : '');

/** What the script sends for a token, where tokens last an hour only. */
function signIn({ api, credentials }: PageParts): string {
  if (api !== 'pos') return '';
  const { apiKey, apiSecret } = credentials as Credentials['pos'];
  return ` data-sign-in="${escapeHtml(JSON.stringify({ api_key: apiKey, api_secret: apiSecret }))}"`;
}

function operationArticle(parts: PageParts, found: ProviderOperation): string {
  const { method, path, operation } = found;
  const id = escapeHtml(operation.operationId ?? '');
  return `
<article id="${id}" aria-labelledby="${id}-title">
<h3 id="${id}-title"><span class="method">${method}</span> <code>${escapeHtml(path)}</code></h3>
<p>${prose([operation.summary, (operation as { description?: string }).description].filter(Boolean).join('. '))}${gapLinks(operation['x-gap'])}</p>
${requestOf(operation)}
<h4>Replies</h4>
${Object.entries(operation.responses).map(replyOf).join('')}
<h4>Try</h4>
<pre>${escapeHtml(shownExample(parts, found, new Set()).curl)}</pre>
${formOf(parts, found)}
</article>`;
}

function requestOf({ parameters = [], requestBody }: Operation): string {
  const rows = parameters.map((one) =>
    field(
      one.name,
      { description: (one as { description?: string }).description, ...one.schema },
      { required: one.required, note: one.in },
    ),
  );
  const body = jsonSchema(requestBody);
  return [
    rows.length > 0 ? `<h4>Parameters</h4><ul class="fields">${rows.join('')}</ul>` : '',
    body === undefined ? '' : `<h4>Body</h4>${gapLinks(body['x-gap'])}${fieldsOf(body)}`,
  ].join('');
}

function replyOf([status, reply]: [string, Operation['responses'][string]]): string {
  const { description = '' } = reply as { description?: string };
  const schema = jsonSchema(reply);
  const head = `<code>${escapeHtml(status)}</code> ${prose(description)}`;
  return schema === undefined ? `<p>${head}</p>` : `<details><summary>${head}</summary>${fieldsOf(schema)}</details>`;
}

/** Filled in with a request that works; the script shows and sends it. */
function formOf({ known }: PageParts, found: ProviderOperation): string {
  const { method, path, body } = exampleOf(found, known, new Set());
  const rows = JSON.stringify(body, null, 2)?.split('\n').length ?? 0;
  const textarea = `<label>Body<textarea name="body" rows="${rows}" spellcheck="false">${json(body ?? null)}</textarea></label>`;
  return `<form class="try" data-method="${method}"${isOpen(found.operation) ? ' data-open' : ''} hidden>
<label>Path<input name="path" autocomplete="off" spellcheck="false" value="${escapeHtml(path)}"></label>
<label>Prefer: a fault on demand, such as code=503 or delay=2s<input name="prefer" autocomplete="off" spellcheck="false"></label>
${body === undefined ? '' : textarea}
<button type="submit">Send ${method} ${escapeHtml(found.path)}</button>
<div role="status"></div>
</form>`;
}

function eventArticle(type: string, operation: Operation): string {
  const schema = jsonSchema(operation.requestBody) ?? {};
  return `
<article id="${escapeHtml(type)}" aria-labelledby="${escapeHtml(type)}-title">
<h3 id="${escapeHtml(type)}-title"><code>${escapeHtml(type)}</code></h3>
<p>${prose(operation.summary ?? '')}${gapLinks(operation['x-gap'])}</p>
<details><summary>Fields</summary>${fieldsOf(schema)}</details>
<details><summary>Example</summary><pre>${json(exampleOfSchema(schema))}</pre></details>
</article>`;
}

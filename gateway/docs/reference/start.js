// Runs before the library's script.
import { ownPanel } from './own.js';

const nonce = document.querySelector('meta[property=csp-nonce]').content;
const createElement = document.createElement;

// The library sets the nonce on some of its style elements only. This policy allows no other.
document.createElement = function (name, options) {
  const element = createElement.call(this, name, options);
  if (String(name).toLowerCase() === 'style') element.nonce = nonce;
  return element;
};

addEventListener('DOMContentLoaded', async () => {
  const all = JSON.parse(document.querySelector('#reference').dataset.sources);
  // What a partner who is signed in to the profile sees in place of what everybody sees.
  const own = document.querySelector('#own-dialog') ? await ownPanel() : undefined;
  // The page opens with the first one.
  const sources = all.toSorted((one, other) => Number(other.name === own?.api) - Number(one.name === own?.api));
  const page = window.Scalar.createApiReference('#reference', configurationOf(sources, own));
  own?.onChange(() => page.updateConfiguration(configurationOf(sources, own)));
});

const configurationOf = (sources, own) => ({
  sources: sources.map(({ name, title, token }) => ({
    slug: name,
    title,
    ...(own?.api === name ? { content: own.document() } : { url: `/docs/reference/${name}.json` }),
    authentication: authenticationWith(own && [own.api, 'profile'].includes(name) ? own.token() : token),
  })),
  ...(own && { customFetch: own.fetch }),
  // Nothing is sent to, or loaded from, anywhere else.
  telemetry: false,
  withDefaultFonts: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'none',
  persistAuth: false,
  defaultOpenAllTags: true,
  operationTitleSource: 'summary',
  hideModels: true,
});

const authenticationWith = (token) => ({
  preferredSecurityScheme: 'bearer',
  ...(token && { securitySchemes: { bearer: { token } } }),
});

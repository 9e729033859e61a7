// Runs before the library's script.
const nonce = document.querySelector('meta[property=csp-nonce]').content;
const createElement = document.createElement;

// The library sets the nonce on some of its style elements only. This policy allows no other.
document.createElement = function (name, options) {
  const element = createElement.call(this, name, options);
  if (String(name).toLowerCase() === 'style') element.nonce = nonce;
  return element;
};

addEventListener('DOMContentLoaded', () => {
  const sources = JSON.parse(document.querySelector('#reference').dataset.sources);
  window.Scalar.createApiReference('#reference', {
    sources: sources.map(({ name, title, token }) => ({
      slug: name,
      title,
      url: `/docs/reference/${name}.json`,
      authentication: { preferredSecurityScheme: 'bearer', ...(token && { securitySchemes: { bearer: { token } } }) },
    })),
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
});

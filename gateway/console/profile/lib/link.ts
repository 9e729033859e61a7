/** The names of a link's secret in the address, after `#`. */
const names = ['link_secret', 'link'] as const;

/** The secret in a link that an operator made, or in its part after `#`. Undefined if there is none. */
export function secretOfLink(text: string): string | undefined {
  const params = new URLSearchParams(text.slice(text.indexOf('#') + 1));
  return names.map((name) => params.get(name)).find((secret) => secret) ?? undefined;
}

/** Takes the secret of a link out of the page's address: it must not stay in the history, or be copied with the address. */
export function takeLinkSecret(): string | undefined {
  const secret = secretOfLink(location.hash);
  if (secret !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return secret;
}

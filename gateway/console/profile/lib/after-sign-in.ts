/** Where a sign-in leads, by `then` in the address. Nothing else: any address in its place would be an open redirect. */
const places = new Map([['docs', '/docs']]);

/** Opens the page that sent the viewer here to sign in. Returns false if there is none. */
export function goBack(): boolean {
  const place = places.get(new URLSearchParams(location.search).get('then') ?? '');
  if (place === undefined) return false;
  location.replace(place);
  return true;
}

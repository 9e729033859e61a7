/** Undoes the percent encoding of a part of an address; returns a part that is encoded wrongly as it is. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

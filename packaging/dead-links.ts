/**
 * Replaces each relative link whose target does not exist by its text. Removes such images, and tables of nothing else.
 * Code blocks stay as they are.
 */
export function withoutDeadLinks(markdown: string, exists: (path: string) => boolean): string {
  const withoutTarget = (link: string, text: string) => (link.startsWith('!') ? '' : text);
  const cleaned = (part: string) =>
    part.replace(relativeLink, (link, text, path) => (exists(path) ? link : withoutTarget(link, text))).replace(emptyTable, '');
  return markdown
    .split(/^(```[\s\S]*?^```)/m)
    .map((part, at) => (at % 2 === 1 ? part : cleaned(part)))
    .join('');
}

/** `[text](path#heading)`, but not an address with a scheme, an absolute path, or a heading of the same file. */
const relativeLink = /!?\[((?:[^\][]|\[[^\]]*\])*)\]\((?![a-z]+:|[/#])([^)\s#]+)(?:#[^)\s]*)?\)/g;
/** A table without text in its header and its cells. */
const emptyTable = /^\|[ |]*\|\n\|[-|]+\|\n(?:\|[ |]*\|\n)+/gm;

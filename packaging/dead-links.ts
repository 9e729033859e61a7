/** Replaces each relative link or image whose target does not exist by its text. Code blocks stay as they are. */
export function withoutDeadLinks(markdown: string, exists: (path: string) => boolean): string {
  return markdown
    .split(/^(```[\s\S]*?^```)/m)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(relativeLink, (link, text, path) => (exists(path) ? link : text))))
    .join('');
}

/** `[text](path#heading)`, but not an address with a scheme, an absolute path, or a heading of the same file. */
const relativeLink = /!?\[((?:[^\][]|\[[^\]]*\])*)\]\((?![a-z]+:|[/#])([^)\s#]+)(?:#[^)\s]*)?\)/g;

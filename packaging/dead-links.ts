/** Replaces each relative link whose target does not exist by its text, and removes such images. Code blocks stay as they are. */
export function withoutDeadLinks(markdown: string, exists: (path: string) => boolean): string {
  return markdown
    .split(/^(```[\s\S]*?^```)/m)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(relativeLink, (link, text, path) => (exists(path) ? link : link.startsWith('!') ? '' : text)),
    )
    .join('');
}

/** A table without a header whose cells were images only. */
const emptyTable = /^\|[ |]*\|\n\|[-|]+\|\n(?:\|[ |]*\|\n)+/gm;

/** `[text](path#heading)`, but not an address with a scheme, an absolute path, or a heading of the same file. */
const relativeLink = /!?\[((?:[^\][]|\[[^\]]*\])*)\]\((?![a-z]+:|[/#])([^)\s#]+)(?:#[^)\s]*)?\)/g;

import { posix } from 'node:path';
import { Marked, Renderer, type Tokens } from 'marked';
import { escapeHtml } from './escape.ts';

export interface Guide {
  /** The first heading as HTML. */
  title: string;
  /** The first heading as text. */
  plainTitle: string;
  /** The first paragraph as HTML; empty if there is none. */
  summary: string;
  html: string;
  headings: readonly Heading[];
}

export interface Heading {
  depth: number;
  anchor: string;
  /** As HTML. */
  title: string;
}

/** What is served, by its path in docs/: guides without `.md`, images with their extension. */
export interface Served {
  /** The file that is rendered, without `.md`. Its links are relative to it. */
  page: string;
  guides: ReadonlySet<string>;
  images: ReadonlySet<string>;
  /** The address of the guides in the language of the reader. */
  root: string;
  /** The folder of the translation to which the file belongs, with a slash; empty for an original. */
  folder: string;
  /** What a screen reader says of a table. */
  table: string;
  /** Of a translation: the anchors of the original's headings, which pages that are not translated link to. */
  anchors?: readonly string[];
}

/** Renders a Markdown file of docs/ as HTML. HTML in the file is shown as text, and its comments are left out. */
export function renderGuide(text: string, served: Served): Guide {
  const headings: Heading[] = [];
  const marked = new Marked({ renderer: rendererFor(served, headings) });
  const tokens = marked.lexer(text);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const paragraph = tokens.find((token) => token.type === 'paragraph');
  return {
    title: heading ? marked.Parser.parseInline(heading.tokens, marked.defaults) : 'Untitled',
    plainTitle: heading ? plainText(heading.tokens) : 'Untitled',
    summary: paragraph ? marked.parser([paragraph]) : '',
    html: marked.parser(tokens),
    headings,
  };
}

/** The renderer adds each heading that it meets to `headings`. */
function rendererFor(served: Served, headings: Heading[]) {
  const anchorOf = anchors();
  return {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text.replace(/<!--[\s\S]*?-->/g, '')),
    heading(this: Renderer, { tokens, depth }: Tokens.Heading) {
      const [anchor, title] = [anchorOf(plainText(tokens)), this.parser.parseInline(tokens)];
      const other = served.anchors?.[headings.length] ?? anchor;
      headings.push({ depth, anchor, title });
      return `<h${depth} id="${anchor}">${other === anchor ? '' : `<span id="${other}"></span>`}${title}</h${depth}>\n`;
    },
    link(this: Renderer, { href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      const address = addressOf(href, served);
      return address === undefined ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
    },
    image({ href, text }: Tokens.Image) {
      const address = addressOf(href, served);
      return address === undefined ? escapeHtml(text) : `<img src="${escapeHtml(address)}" alt="${escapeHtml(text)}">`;
    },
    // Wide tables and code scroll, also with the keyboard.
    table(this: Renderer, token: Tokens.Table) {
      return `<div class="table" role="group" aria-label="${served.table}" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
    },
    tablecell(this: Renderer, cell: Tokens.TableCell) {
      // Beside columns of code, a sentence would get one word a line. An empty corner is not a heading.
      return Renderer.prototype.tablecell
        .call(this, cell)
        .replace(/^<th([^>]*)><\/th>/, '<td$1></td>')
        .replace(/^<td/, plainText(cell.tokens).length > 25 ? '<td class="long"' : '<td');
    },
    code: ({ text }: Tokens.Code) => `<div class="code"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`,
  };
}

/** The address on this server of a link in docs/, or undefined if its target is not served. */
function addressOf(href: string, { page, guides, images, root, folder }: Served): string | undefined {
  if (/^(https?:\/\/|#|\/(?!\/))/.test(href)) return href;
  const [target = '', fragment] = href.split('#');
  const joined = posix.join(posix.dirname(page), target);
  // A translation links the original where a page is not translated.
  const path = folder !== '' && joined.startsWith(folder) ? joined.slice(folder.length) : joined;
  if (images.has(path)) return `/docs/guides/${path}`;
  const [, name = ''] = /^(.+)\.md$/.exec(path) ?? [];
  return guides.has(name) ? `${root}/${name}${fragment === undefined ? '' : `#${fragment}`}` : undefined;
}

/** Returns the anchors that GitHub gives headings, so that links to them work in both places. */
function anchors(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-');
    const times = used.get(anchor) ?? 0;
    used.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
}

interface Token {
  raw: string;
  text?: string;
  tokens?: readonly Token[] | undefined;
}

const plainText = (tokens: readonly Token[]): string =>
  tokens.map((token) => (token.tokens ? plainText(token.tokens) : (token.text ?? token.raw))).join('');

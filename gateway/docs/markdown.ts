import { Marked, Renderer, type Tokens } from 'marked';
import { escapeHtml } from './layout.ts';

export interface Guide {
  /** The first heading as HTML. */
  title: string;
  /** The first heading as text. */
  plainTitle: string;
  /** The first paragraph as HTML; empty if there is none. */
  summary: string;
  html: string;
}

/** Names of what is served: guides without `.md`, images with their extension. */
export interface Served {
  guides: ReadonlySet<string>;
  images: ReadonlySet<string>;
}

/** Renders a Markdown file of docs/ as HTML. HTML in the file is shown as text, and its comments are left out. */
export function renderGuide(text: string, served: Served): Guide {
  const marked = new Marked({ renderer: rendererFor(served) });
  const tokens = marked.lexer(text);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const paragraph = tokens.find((token) => token.type === 'paragraph');
  return {
    title: heading ? marked.Parser.parseInline(heading.tokens, marked.defaults) : 'Untitled',
    plainTitle: heading ? plainText(heading.tokens) : 'Untitled',
    summary: paragraph ? marked.parser([paragraph]) : '',
    html: marked.parser(tokens),
  };
}

function rendererFor(served: Served) {
  const anchorOf = anchors();
  return {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text.replace(/<!--[\s\S]*?-->/g, '')),
    heading(this: Renderer, { tokens, depth }: Tokens.Heading) {
      return `<h${depth} id="${anchorOf(plainText(tokens))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
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
      return `<div class="table" role="region" aria-label="Table" tabindex="0">${Renderer.prototype.table.call(this, token)}</div>\n`;
    },
    code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
  };
}

/** The address on this server of a link in docs/, or undefined if its target is not served. */
function addressOf(href: string, { guides, images }: Served): string | undefined {
  if (/^(https?:\/\/|#|\/(?!\/))/.test(href)) return href;
  const [, name = '', fragment = ''] = /^(?:\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (guides.has(name)) return `/docs/guides/${name}${fragment}`;
  const [, image = ''] = /^(?:\.\/)?console\/([\w.-]+)$/.exec(href) ?? [];
  return images.has(image) ? `/docs/guides/console/${image}` : undefined;
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

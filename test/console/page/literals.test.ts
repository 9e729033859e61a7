import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';
import { expect, test } from 'vitest';

/** Attributes and fields that people read. Biome's `noJsxLiterals` finds the text between tags. */
const read =
  /^(label|title|description|aria-?label|closeButtonLabel|submitLabel|heading|header|help|summary|note|message|empty|next|advice|why|alt|words|consequences)$/i;

/** Names, addresses and headers, which every language writes so, and examples of data that are French in the API's country. */
const sameEverywhere =
  /^(Passerelle|https?:.*|\/docs.*|webhook-signature|X-SERVICE-Signature|Rapport annuel|Tableau de bord|Dialogue intercommunautaire à Bouaké)$/;

/** The beginning of a sentence. It is found anywhere, except in an error for developers. */
const sentence = /^[A-Z][a-z]+ [a-z]/;

interface Node {
  type: string;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
const inner = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

const nameFields: Readonly<Record<string, string>> = { JSXAttribute: 'name', Property: 'key', NewExpression: 'callee' };

function nameOf(node: Node): string {
  const name = node[nameFields[node.type] ?? ''] as Node | undefined;
  return String(name?.name ?? name?.value ?? '');
}

/** The text that an expression is: written out, in a template, or as one side of a choice. */
function textsIn(node: unknown): string[] {
  if (!isNode(node)) return Array.isArray(node) ? node.flatMap(textsIn) : [];
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : [];
  if (node.type === 'TemplateLiteral') return (node.quasis as Node[]).map(({ value }) => (value as { raw: string }).raw);
  if (node.type === 'ConditionalExpression') return [...textsIn(node.consequent), ...textsIn(node.alternate)];
  if (node.type === 'LogicalExpression' || node.operator === '+') return [...textsIn(node.left), ...textsIn(node.right)];
  if (node.type === 'JSXExpressionContainer') return textsIn(node.expression);
  if (node.type === 'ArrayExpression') return textsIn(node.elements);
  if (node.type === 'ArrowFunctionExpression') return textsIn(node.body);
  return [];
}

/** Texts for people in a source: the values of what people read, and children of elements that are expressions. */
function textsOf(node: Node): string[] {
  const isRead = read.test(nameOf(node));
  const isChild = node.type === 'JSXElement' || node.type === 'JSXFragment';
  if (node.type === 'NewExpression' && nameOf(node) === 'Error') return [];
  const own = isRead ? textsIn(node.value) : isChild ? textsIn((node.children as Node[]).filter(isExpression)) : [];
  const sentences = textsIn(node).filter((text) => sentence.test(text) && !sameEverywhere.test(text));
  const texts = own.filter((text) => /\p{Ll}{2}/u.test(text) && !sameEverywhere.test(text));
  return [...texts, ...sentences, ...inner(node).flatMap(textsOf)];
}

const isExpression = ({ type }: Node) => type === 'JSXExpressionContainer';

const textsOfSource = (source: string) => textsOf(parseAst(source, { lang: 'tsx' }) as unknown as Node);

test('a text in an attribute, in a field or in an expression between tags is found; codes and catalogue texts are not', () => {
  const found = textsOfSource(`
    const column = { header: 'Created at', width: 3, name: 'created_at' };
    const page = <A label="Close" size="xs" title={open ? 'Shut' : text.open} onClick={() => go('somewhere else')}>
      {failed && \`\${amount} failed\`}
      {text.parts.save}
      {format('yyyy')}
    </A>;
    useChange({ done: 'The view was saved.' });
    throw new Error('The provider is missing.');`);
  expect([...new Set(found.map((text) => text.trim()))].sort()).toEqual([
    'Close',
    'Created at',
    'Shut',
    'The view was saved.',
    'failed',
  ]);
});

test.each(['page', 'profile'])(
  'no page, part or library in %s/ has a text of its own: all are in the catalogues',
  (name) => {
    const folder = join(import.meta.dirname, '../../../gateway/console', name);
    const files = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['texts/**'] });
    const found = files.flatMap((file) =>
      textsOfSource(readFileSync(join(folder, file), 'utf8')).map((text) => `${file}: ${text}`),
    );
    expect([...new Set(found)]).toEqual([]);
  },
  60_000,
);

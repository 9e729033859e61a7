import { badge, block, button, byId, el, opening } from './dom.js';
import { addFault } from './faults.js';
import { field } from './form.js';

/** @typedef {{ operation: string, name: string, cause: string, status: number, headers: Record<string, string>, body: unknown }} Example */

/**
 * The replies that the stub can give by name.
 * @param {{ operations: { id: string, label: string, method: string, path: string }[], examples: Example[], refresh: () => Promise<void> }} parts
 */
export function repliesView({ operations, examples, refresh }) {
  const search = field({ name: 'search', label: 'Find', placeholder: 'stock, 404, token' });
  const groups = operations.map(({ id, label, method, path }) => {
    const items = examples
      .filter(({ operation }) => operation === id)
      .map((example) => replyItem(example, { method, path, refresh }));
    const list = el('ul', { className: 'list', 'aria-label': `Replies of ${id}` }, ...items.map(({ node }) => node));
    return { node: el('section', {}, el('h3', {}, label), list), items };
  });
  const none = el('p', { className: 'empty', hidden: true }, 'No reply matches.');
  search.input.addEventListener('input', () => {
    const wanted = search.input.value.trim().toLowerCase();
    for (const { node, items } of groups) {
      for (const item of items) item.node.hidden = !item.text.includes(wanted);
      node.hidden = items.every((item) => item.node.hidden);
    }
    none.hidden = groups.some(({ node }) => !node.hidden);
  });
  byId('part-replies').append(
    el(
      'p',
      {},
      'What the API answers to every documented cause. Ask for one with the header ',
      el('code', {}, 'Prefer'),
      ' of a single call, or let the next call of the operation get it.',
    ),
    search.node,
    none,
    ...groups.map(({ node }) => node),
  );
}

/** @param {Example} example @param {{ method: string, path: string, refresh: () => Promise<void> }} parts */
function replyItem({ operation, name, cause, status, headers, body }, { method, path, refresh }) {
  const prefer = `Prefer: example=${name}`;
  const { node, head } = opening({
    open: (details) =>
      details.replaceChildren(
        el(
          'p',
          { className: 'buttons' },
          button('The next call gets it', () => addFault({ operation, times: 1, fault: { kind: 'example', name } }, refresh)),
        ),
        block('Header of a request', prefer),
        block('As curl', `curl -X ${method} -H '${prefer}' '${location.origin}${path}'`),
        ...(Object.keys(headers).length === 0
          ? []
          : [
              block(
                'Response headers',
                Object.entries(headers)
                  .map((pair) => pair.join(': '))
                  .join('\n'),
              ),
            ]),
        block('Response body', JSON.stringify(body, null, 2)),
      ),
  });
  head.append(badge(status), el('span', { className: 'what' }, el('b', {}, name), ` ${cause}`));
  return { node, text: `${status} ${name} ${cause} ${operation}`.toLowerCase() };
}

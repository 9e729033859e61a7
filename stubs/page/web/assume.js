import { ask } from './api.js';
import { button, byId, el, say } from './dom.js';

/**
 * The alternatives of the gap register under which the stub answers. Without any, it shows nothing.
 * @param {{ refresh: () => Promise<void> }} parts
 */
export function assumeView({ refresh }) {
  const list = el('ul', { className: 'assumptions' });
  const clear = button('Answer as the register chose', async () => {
    await ask('DELETE', '/assume');
    say('No alternative is active.');
    return refresh();
  });
  const title = el('h2', { id: 'assume-title' }, 'Assumptions');
  byId('part-assume').append(
    title,
    el('p', {}, 'The stub answers under alternatives of the gap register, or with harmless changes:'),
    list,
    el('p', {}, clear),
  );
  let shown = '';
  return {
    /** @param {{ gap: string, alternative: string, text: string }[]} active */
    show(active) {
      const now = JSON.stringify(active);
      if (now === shown) return;
      shown = now;
      byId('part-assume').hidden = active.length === 0;
      list.replaceChildren(
        ...active.map(({ gap, alternative, text }) => {
          const name = el('code', {}, `${gap}=${alternative}`);
          // Harmless changes are no questions of the register.
          return el('li', {}, gap.startsWith('harmless.') ? name : el('a', { href: `/docs/gaps#${gap}` }, name), ` ${text}`);
        }),
      );
    },
  };
}

import { ask, save } from './api.js';
import { block, button, byId, copier, el, say } from './dom.js';

/**
 * The stub's credentials, and its reset.
 * @param {{ state: any, refresh: () => Promise<void> }} parts
 */
export function aboutView({ state, refresh }) {
  const { api, credentials, operatorToken, secret } = state;
  const url = location.origin;
  const rows = [['API', `${url}/api/v1`], ...rowsOf(credentials), ['Operator token', operatorToken], ['Signing secret', secret]];
  /** @type {HTMLDialogElement} */
  const confirming = el(
    'dialog',
    { 'aria-labelledby': 'reset-title' },
    el('h2', { id: 'reset-title' }, 'Reset the stub?'),
    el('p', {}, 'Data, endpoints, clock, limits, faults and calls go back to the start. Partners are signed out of the profile.'),
    el(
      'p',
      { className: 'buttons' },
      button(
        'Reset',
        async () => {
          confirming.close();
          await ask('POST', '/reset');
          say('The stub is as it was at its start.');
          return refresh();
        },
        { className: 'main' },
      ),
      button('Cancel', () => confirming.close()),
    ),
  );
  byId('part-about').append(
    el(
      'dl',
      { className: 'facts' },
      ...rows.flatMap(([name = '', value = '']) => [
        el('dt', {}, name),
        el(
          'dd',
          {},
          el('code', {}, value),
          ' ',
          copier(name, () => value),
        ),
      ]),
    ),
    el('h3', {}, 'In a shell'),
    block(
      'Variables for your receiver, listen, trigger and doctor',
      `export PASSERELLE_URL='${url}' PASSERELLE_OPERATOR_TOKEN='${operatorToken}' PASSERELLE_SIGNING_SECRET='${secret}'`,
    ),
    el('h3', {}, 'Data'),
    el('p', {}, 'The data as it is now is a seed, with which another stub can start: passerelle stub --seed FILE.'),
    el(
      'p',
      { className: 'buttons' },
      button('Save the data', () => save('/_stub/state', `${api}.json`)),
      button('Reset the stub', () => confirming.showModal()),
    ),
    el('h3', {}, 'Read'),
    el(
      'ul',
      {},
      el('li', {}, el('a', { href: '/docs' }, 'API reference, with requests to try')),
      el('li', {}, el('a', { href: '/docs/guides/partners' }, 'Guide for partners')),
      el('li', {}, el('a', { href: '/docs/gaps' }, 'What the API documents leave open')),
    ),
    confirming,
  );
}

const names = { apiKey: 'API key', apiSecret: 'API secret', plan: 'Plan', token: 'Token' };

/** @param {Record<string, any>} credentials @returns {string[][]} */
function rowsOf(credentials) {
  const own = Object.entries(names).flatMap(([key, name]) =>
    typeof credentials[key] === 'string' ? [[name, credentials[key]]] : [],
  );
  const others = (credentials.tokens ?? []).filter((/** @type {any} */ one) => one.token !== credentials.token);
  return [...own, ...others.map((/** @type {any} */ one) => [`Token for ${one.abilities.join(', ')}`, one.token])];
}

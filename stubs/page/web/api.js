/** A wrong field of a request, by its dotted path. @typedef {{ field: string, message: string }} Detail */

/** A refusal of the stub. Its message says what is wrong and what to do. */
export class Refused extends Error {
  /** @param {number} status @param {{ message?: string, details?: Detail[] }} error */
  constructor(status, { message = `The stub answered ${status}.`, details = [] }) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

const tokenKey = 'passerelle operator token';

/** Keeps the operator's token for this tab. Only pages on other machines need it. @param {string} token */
export const keepToken = (token) => sessionStorage.setItem(tokenKey, token);

/** @param {string} method @param {string} path @param {unknown} [body] */
async function send(method, path, body) {
  const token = sessionStorage.getItem(tokenKey);
  const reply = await fetch(path, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (reply.ok) return reply;
  const { error = {} } = await reply.json().catch(() => ({}));
  throw new Refused(reply.status, error);
}

/**
 * Calls `/_stub`, and returns the reply's data. Throws `Refused`, or a TypeError if nothing answers.
 * @param {string} method @param {string} path @param {unknown} [body] @returns {Promise<any>}
 */
export async function ask(method, path, body) {
  return (await (await send(method, `/_stub${path}`, body)).json()).data;
}

/** @param {string} path @returns {Promise<any>} */
export const json = async (path) => (await send('GET', path)).json();

/** @param {string} path */
export const text = async (path) => (await send('GET', path)).text();

/** Saves what a path of the stub answers as a file. @param {string} path @param {string} name */
export async function save(path, name) {
  const url = URL.createObjectURL(await (await send('GET', path)).blob());
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

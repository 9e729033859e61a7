// A partner's own credentials in the reference page. They are in variables of this page only, so they end with it: nothing is
// written to storage or to an address. When somebody else signs in, or nobody is signed in any more, the page is loaded again.

const profile = '/profile/v1';
/** The profile's pages tell by it when somebody signs in or out. */
const sessions = new BroadcastChannel('passerelle-profile');
const checkEveryMs = 10_000;

const find = (id) => document.querySelector(`#own-${id}`);

/** Fills the panel for who is signed in. Returns what the reference shows of them, or undefined if nobody is known to be. */
export async function ownPanel() {
  const me = await whoIsSignedIn();
  reloadWhenOther(me?.owner);
  find('sign-in').hidden = Boolean(me);
  if (!me) return undefined;
  const read = await ask('GET', '/reference', me);
  if (!read.ok) return undefined;
  const own = new Own(me, read.data);
  own.show();
  return own;
}

class Own {
  api;
  #me;
  #document;
  #token;
  #secret;
  #listeners = [];

  constructor(me, { api, document }) {
    this.#me = me;
    this.api = api;
    this.#document = document;
  }

  /** The document of the partner's API. Once the secret of the key was typed, the request for a token has it. */
  document() {
    const copy = structuredClone(this.#document);
    if (this.#secret === undefined) return copy;
    for (const { example } of signIns(copy)) Object.assign(example, this.#secret);
    return copy;
  }

  token() {
    return this.#token;
  }

  onChange(listen) {
    this.#listeners.push(listen);
  }

  /** Sends a request of a form. A token that it brings is used from then on. */
  fetch = async (input, init) => {
    const request = new Request(input, init);
    const reply = await fetch(request);
    if (request.method === 'POST' && reply.ok && signInPaths(this.#document).includes(new URL(request.url).pathname)) {
      const { token } = await reply.clone().json();
      if (typeof token === 'string') await this.#takeOwn(token, 'Got a token.', { isIssued: true });
    }
    return reply;
  };

  show() {
    const { name, owner, kind, read_only: readOnly } = this.#me;
    const button = find('open');
    button.textContent = `${name}: your credentials`;
    button.hidden = false;
    button.addEventListener('click', () => find('dialog').showModal());
    find('name').textContent = name;
    find('owner').textContent = owner;
    find(kind).hidden = false;
    find('create').hidden = readOnly;
    const [signIn] = signIns(this.#document);
    if (signIn) find('key').value = signIn.example.api_key ?? '';
    onSubmit('account', () => this.#getToken());
    onSubmit('user', () => this.#takeToken(find('token').value.trim()));
    find('create').addEventListener('click', () => this.#createToken());
    find('close').addEventListener('click', () => find('dialog').close());
    find('forget').addEventListener('click', () => location.reload());
  }

  async #getToken() {
    const secret = { api_key: find('key').value.trim(), api_secret: find('secret').value.trim() };
    const [path] = signInPaths(this.#document);
    const reply = await send('POST', path, { body: secret });
    if (!reply.ok) return say(`No token: ${reply.message}`);
    const { token, expires_in: seconds } = reply.body;
    const words = `The requests of this page carry a token. It expires in ${duration(seconds)}.`;
    await this.#takeOwn(token, words, { isIssued: true, secret });
  }

  async #takeToken(token) {
    // Any other text would be sent as if it were a token, and some cannot be sent at all.
    if (!/^\d+\|[\x21-\x7e]+$/.test(token)) return say('Not used: an access token has the form number|text, such as 6|gM2c.');
    await this.#takeOwn(token, 'The requests of this page carry the token.');
  }

  /**
   * Uses a token that the profile accepts, and that is of who is signed in. Says why it uses no other. One that the API issued just now
   * is valid, also where a stub issues tokens of another format, which the profile does not know.
   */
  async #takeOwn(token, words, { isIssued = false, secret = this.#secret } = {}) {
    const reply = await send('GET', `${profile}/me`, { headers: { authorization: `Bearer ${token}` }, credentials: 'omit' });
    const holder = reply.body?.data;
    const { owner, name } = this.#me;
    if (!reply.ok && !isIssued) return say(`Not used: ${reply.message}`);
    if (reply.ok && holder.owner !== owner)
      return say(`Not used: it is of ${holder.name} (${holder.owner}), and you are signed in as ${name} (${owner}).`);
    this.#secret = secret;
    this.#use(token, words);
  }

  async #createToken() {
    const read = await ask('GET', '/reference', this.#me);
    if (!read.ok) return say(`No token: ${read.message}`);
    const created = await ask('POST', '/tokens', this.#me, read.data.new_token);
    if (!created.ok) return say(`No token: ${created.message}`);
    const { token, expires_at } = created.data;
    find('created').textContent = token;
    find('once').hidden = false;
    this.#use(token, `The requests of this page carry the new token. It expires at ${expires_at}.`);
  }

  #use(token, words) {
    this.#token = token;
    say(words);
    find('forget').hidden = false;
    for (const listen of this.#listeners) listen();
  }
}

/** The bodies of the document's requests for a token. */
const signIns = ({ paths }) =>
  Object.values(paths).flatMap(({ post }) => {
    const content = post?.requestBody?.content?.['application/json'];
    return content?.example?.api_secret === undefined ? [] : [content];
  });

/** The paths on this server that answer requests for a token. */
const signInPaths = ({ paths, servers: [server] }) =>
  Object.entries(paths)
    .filter(([, item]) => signIns({ paths: { item } }).length > 0)
    .map(([path]) => `${server.url.replace(/\/$/, '')}${path}`);

/** Undefined: nobody. Null: the gateway cannot say. */
async function whoIsSignedIn() {
  const reply = await send('GET', `${profile}/session`);
  if (reply.ok) return reply.body.data;
  return reply.status === 401 ? undefined : null;
}

/** Loads the page again once `owner` (undefined: nobody) is not who is signed in, so that nothing of theirs stays in it. */
function reloadWhenOther(owner) {
  const check = async () => {
    const me = await whoIsSignedIn();
    if (me !== null && me?.owner !== owner) location.reload();
  };
  sessions.addEventListener('message', check);
  addEventListener('visibilitychange', () => document.visibilityState === 'visible' && check());
  // A page that the browser kept while another one was shown.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload());
  if (owner !== undefined) setInterval(() => document.visibilityState === 'visible' && check(), checkEveryMs);
}

/** Asks the profile. It refuses if the call names another partner than the one who is signed in. */
async function ask(method, path, { owner }, body) {
  const reply = await send(method, `${profile}${path}`, { body, headers: { 'x-passerelle-profile': owner } });
  if (reply.status === 401 || reply.code === 'other_partner') location.reload();
  return { ...reply, data: reply.body?.data };
}

async function send(method, url, { body, headers, credentials } = {}) {
  try {
    const json = body && { 'content-type': 'application/json' };
    const sent = { method, credentials, headers: { ...json, ...headers }, body: body && JSON.stringify(body) };
    const reply = await fetch(url, sent);
    const read = await reply.json().catch(() => undefined);
    const { code, message = `the gateway answered ${reply.status}` } = read?.error ?? {};
    return { ok: reply.ok, status: reply.status, body: read, code, message };
  } catch {
    return { ok: false, status: 0, message: 'the gateway cannot be reached' };
  }
}

function onSubmit(id, act) {
  find(id).addEventListener('submit', (event) => {
    event.preventDefault();
    act();
  });
}

const say = (words) => {
  find('status').textContent = words;
};

const duration = (seconds) => (seconds >= 120 ? `${Math.round(seconds / 60)} minutes` : `${seconds} seconds`);

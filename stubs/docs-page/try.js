// The forms of the page: each sends its request to this stub, and shows the reply. What a reply holds is shown as text only.
const token = document.querySelector('#token');
const signedIn = document.querySelector('#signed-in');

signedIn.hidden = false;
signedIn.addEventListener('submit', (event) => event.preventDefault());

for (const form of document.querySelectorAll('form.try')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form).catch((error) => show(form, { status: `No reply: ${error.message}`, good: false }));
  });
}

async function send(form) {
  const { method, open } = form.dataset;
  const { path, prefer, body } = form.elements;
  if (open === undefined && token.value === '' && signedIn.dataset.signIn) await signIn();
  const headers = {};
  if (open === undefined && token.value !== '') headers.Authorization = `Bearer ${token.value}`;
  if (prefer.value !== '') headers.Prefer = prefer.value;
  if (body) headers['Content-Type'] = 'application/json';
  const began = performance.now();
  const reply = await fetch(path.value, { method, headers, ...(body && { body: body.value }) });
  const text = await reply.text();
  const ms = Math.round(performance.now() - began);
  const parsed = jsonOf(text);
  if (open !== undefined && parsed?.token) token.value = parsed.token;
  show(form, {
    status: `${reply.status} ${reply.statusText}, ${ms} ms`,
    good: reply.ok,
    hint: parsed?.help?.hint,
    headers: [...reply.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: parsed === undefined ? text : JSON.stringify(parsed, null, 2),
  });
}

/** Tokens last an hour: the first call that needs one gets it, with the credentials of this stub. */
async function signIn() {
  const headers = { 'Content-Type': 'application/json' };
  const reply = await fetch('/api/auth', { method: 'POST', headers, body: signedIn.dataset.signIn });
  token.value = (await reply.json()).token ?? '';
}

function jsonOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function show(form, { status, good, hint, headers, body }) {
  const parts = [element('p', status, `status ${good ? 'good' : 'bad'}`)];
  if (hint) parts.push(element('p', hint, 'hint'));
  if (body) parts.push(element('pre', body, 'body'));
  if (headers) {
    const details = element('details', '');
    details.append(element('summary', 'Headers'), element('pre', headers));
    parts.push(details);
  }
  form.querySelector('[role=status]').replaceChildren(...parts);
}

function element(name, text, className = '') {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

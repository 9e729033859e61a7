import { ask } from './api.js';
import { button, byId, counted, el, keyedList, say } from './dom.js';
import { field, form, readJson, valuesOf } from './form.js';

/** @typedef {import('./form.js').FieldSpec} FieldSpec */
/** @typedef {{ id: string, rule: string, applied: number }} Fault */

/** @param {string} text */
const seconds = (text) => {
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1000;
  throw new Error('must be a whole number of seconds, such as 2');
};
/** @type {FieldSpec} */
const retry = { name: 'fault.retryAfterMs', label: 'Retry-After, in seconds', kind: 'number', read: seconds };
/** @type {FieldSpec} */
const stage = {
  name: 'fault.stage',
  label: 'When',
  kind: 'select',
  options: [
    ['', 'Before the work is done'],
    ['reply', 'After it: the work is done, and the client does not learn of it'],
  ],
};

/** @param {string} text */
function readHeaders(text) {
  const pairs = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    pairs.map((line) => {
      const [, name, value] = /^([^:]+):(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Error(`"${line}" is not a header. Write Name: value.`);
      return [name.trim(), value.trim()];
    }),
  );
}

const more = 'With other headers or another body';

/** Each kind of fault with its fields. @type {Record<string, { label: string, fields: (examples: [string, string][]) => FieldSpec[] }>} */
const kinds = {
  status: {
    label: 'Answer with a status',
    fields: () => [
      { name: 'fault.status', label: 'Status', kind: 'number', value: '503' },
      retry,
      { more, name: 'fault.headers', label: 'Headers', hint: 'One Name: value a line.', kind: 'area', read: readHeaders },
      {
        more,
        name: 'fault.body',
        label: 'Body',
        kind: 'area',
        read: readJson,
        hint: 'JSON. Empty: the usual body of this status.',
      },
      { more, name: 'fault.validate', label: 'Also send a body that the API document does not allow', kind: 'check' },
    ],
  },
  example: {
    label: 'Answer as the API does for a cause',
    fields: (examples) => [{ name: 'fault.name', label: 'Cause', kind: 'select', options: examples }, retry],
  },
  delay: {
    label: 'Take longer',
    fields: () => [
      { name: 'fault.fromMs', label: 'At least, in milliseconds', kind: 'number', value: '2000' },
      { name: 'fault.toMs', label: 'At most, in milliseconds', kind: 'number', hint: 'Empty: always the same.' },
      stage,
    ],
  },
  reset: { label: 'Reset the connection', fields: () => [stage] },
  truncated: {
    label: 'Break off the reply',
    fields: () => [{ name: 'fault.share', label: 'Share that arrives', kind: 'number', hint: '0 to less than 1. Empty: half.' }],
  },
  malformed: { label: 'Answer with what is not JSON', fields: () => [] },
  slow: {
    label: 'Send the reply slowly',
    fields: () => [
      { name: 'fault.overMs', label: 'Duration, in milliseconds', kind: 'number', value: '3000' },
      { name: 'fault.pieces', label: 'Pieces', kind: 'number', hint: 'Empty: 10.' },
    ],
  },
  'rate-limit': {
    label: 'Answer 429, as at a rate limit',
    fields: () => [{ name: 'fault.limit', label: 'Limit that the reply names', kind: 'number', hint: 'Calls a minute.' }, retry],
  },
  'token-expired': { label: 'Answer 401, as for an expired token', fields: () => [] },
};

/** A constant delay has one field of its own; `validate` is given if it is off. @param {Record<string, any>} fault */
function asSent({ fromMs, validate, ...fault }) {
  const delay = fault.toMs === undefined ? { ms: fromMs } : { fromMs };
  return { ...fault, ...(fromMs !== undefined && delay), ...(validate && { validate: false }) };
}

/**
 * The faults, and a form to add one.
 * @param {{ operations: { id: string, label: string }[], examples: { operation: string, name: string, status: number, cause: string }[], refresh: () => Promise<void> }} parts
 */
export function faultsView({ operations, examples, refresh }) {
  const list = keyedList({
    label: 'Faults',
    key: (/** @type {Fault} */ { id }) => id,
    create: (fault) => faultItem(fault, refresh),
    empty: () => el('p', { className: 'empty' }, 'No faults: every call gets its real reply.'),
  });
  const clear = button('Remove all faults', async () => {
    await ask('DELETE', '/faults');
    say('All faults are removed.');
    return refresh();
  });
  const { node, choose } = ruleForm({ operations, examples, refresh });
  byId('part-faults').append(list.node, el('p', {}, clear), el('h3', {}, 'Add a fault'), node, textForm(refresh));
  return {
    choose,
    /** @param {Fault[]} faults */
    show(faults) {
      clear.hidden = faults.length < 2;
      list.show(faults);
    },
  };
}

/** @param {Fault} fault @param {() => Promise<void>} refresh */
function faultItem({ id, rule }, refresh) {
  const applied = el('span', { className: 'hint' });
  const remove = button('Remove', () => removeFault(id).then(refresh), { 'aria-label': `Remove ${id}` });
  return {
    node: el('li', { className: 'fault' }, el('div', {}, el('code', {}, rule), applied), remove),
    update: (/** @type {Fault} */ now) => {
      applied.textContent = `${id}, applied ${counted(now.applied, 'time')}`;
    },
  };
}

/** @param {string} id */
export async function removeFault(id) {
  await ask('DELETE', `/faults/${encodeURIComponent(id)}`);
  say(`The fault ${id} is removed.`);
}

/** @param {unknown} rule @param {() => Promise<void>} refresh */
export async function addFault(rule, refresh) {
  /** @type {Fault[]} */
  const faults = await ask('POST', '/faults', { rule });
  say(`Added: ${faults.at(-1)?.rule}`);
  await refresh();
}

/** @param {Parameters<typeof faultsView>[0]} parts */
function ruleForm({ operations, examples, refresh }) {
  const operation = field({
    name: 'operation',
    label: 'Calls',
    kind: 'select',
    options: [['', 'All operations'], ...operations.map(({ id, label }) => /** @type {[string, string]} */ ([id, label]))],
  });
  const kind = field({
    name: 'fault.kind',
    label: 'What happens',
    kind: 'select',
    options: Object.entries(kinds).map(([name, { label }]) => [name, label]),
  });
  const times = field({ name: 'times', label: 'How many calls', kind: 'number', hint: 'Then calls work again. Empty: all.' });
  const after = field({ name: 'after', label: 'After this many calls that work', kind: 'number' });
  const probability = field({ name: 'probability', label: 'Share of the calls', kind: 'number', hint: '0 to 1. Empty: all.' });
  const when = conditions();
  const own = el('div', {});
  /** @type {import('./form.js').Field[]} */
  let ownFields = [];
  const showKind = () => {
    const wanted = operation.input.value;
    const fitting = examples.filter((one) => wanted === '' || one.operation === wanted);
    const names = new Map(fitting.map(({ name, status, cause }) => [name, `${status} ${name}: ${cause}`]));
    ownFields = (kinds[kind.input.value]?.fields([...names]) ?? []).map(field);
    own.replaceChildren(...groupsOf(ownFields));
  };
  kind.input.addEventListener('change', showKind);
  operation.input.addEventListener('change', () => kind.input.value === 'example' && showKind());
  showKind();
  const fields = () => [operation, kind, ...ownFields, times, after, probability, ...when.fields()];
  const node = form({
    submit: 'Add the fault',
    label: 'Add a fault',
    fields,
    content: [
      ...[operation.node, kind.node, own, times.node],
      el('details', {}, el('summary', {}, 'Only some of these calls'), after.node, probability.node, when.node),
    ],
    async send() {
      const { fault, ...rule } = valuesOf(fields());
      await addFault({ ...rule, fault: asSent(fault) }, refresh);
    },
  });
  return {
    node,
    /** Chooses the calls that fail. @param {string} id */
    choose(id) {
      operation.input.value = id;
      showKind();
      operation.input.focus();
      node.scrollIntoView({ block: 'nearest' });
    },
  };
}

/** The fields, those with the same `more` below its summary. @param {import('./form.js').Field[]} fields */
function groupsOf(fields) {
  const shown = fields.filter((one) => one.more === undefined).map(({ node }) => node);
  const grouped = Map.groupBy(
    fields.filter((one) => one.more !== undefined),
    (one) => one.more ?? '',
  );
  return [
    ...shown,
    ...[...grouped].map(([name, more]) => el('details', {}, el('summary', {}, name), ...more.map(({ node }) => node))),
  ];
}

/** Conditions on the body, the query or a header, for the member `when` of a rule. */
function conditions() {
  /** @type {{ place: import('./form.js').Field, name: import('./form.js').Field, value: import('./form.js').Field, node: Node }[]} */
  let rows = [];
  const list = el('div', {});
  const add = button('Add a condition', () => {
    const number = rows.length + 1;
    const place = field({
      name: '',
      label: `Condition ${number}: part of the request`,
      kind: 'select',
      options: [
        ['body', 'Field of the body'],
        ['query', 'Query parameter'],
        ['header', 'Header'],
      ],
    });
    const name = field({ name: '', label: `Condition ${number}: name`, placeholder: 'payment_method' });
    const value = field({ name: '', label: `Condition ${number}: value`, placeholder: 'cash' });
    const remove = button('Remove this condition', () => {
      rows = rows.filter((row) => row.node !== node);
      node.remove();
      add.focus();
    });
    const node = el('div', { className: 'condition' }, place.node, name.node, value.node, remove);
    rows.push({ place, name, value, node });
    list.append(node);
    name.input.focus();
  });
  return {
    node: el('div', {}, list, add),
    /** One field for each row, so that a problem is shown at its name. */
    fields: () =>
      rows.map(({ place, name }) => ({
        ...name,
        get name() {
          return `when.${place.input.value}`;
        },
        value: () => allOf(rows, place.input.value),
      })),
  };
}

/** @param {{ place: import('./form.js').Field, name: import('./form.js').Field, value: import('./form.js').Field }[]} rows @param {string} wanted */
const allOf = (rows, wanted) =>
  Object.fromEntries(
    rows
      .filter(({ place }) => place.input.value === wanted)
      .map(({ name, value }) => [name.input.value.trim(), value.input.value]),
  );

/** @param {() => Promise<void>} refresh */
function textForm(refresh) {
  const rule = field({ name: 'rule', label: 'Rule', placeholder: 'createSale:status=503,times=2' });
  const node = form({
    submit: 'Add the rule',
    label: 'Add a fault as text',
    fields: () => [rule],
    content: [rule.node],
    async send() {
      await addFault(rule.input.value, refresh).catch((error) => {
        // A rule in words has one field.
        if (error.details) error.details = [{ field: 'rule', message: error.message }];
        throw error;
      });
      rule.input.value = '';
    },
  });
  return el('details', { className: 'more' }, el('summary', {}, 'Or write it as a rule, as for --fault'), node);
}

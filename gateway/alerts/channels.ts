import { isIP } from 'node:net';
import { isLoopback } from '../base/addresses.ts';
import { invalid, notFound, Refusal } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Rows } from '../store/port.ts';
import type { AlertChannelKind, AlertSeverity, EmailSettings } from '../store/tables/alerts.ts';
import type { Row } from '../store/tables/index.ts';
import { refusedUrl } from '../webhooks/sending/guard.ts';
import { tellOfOpen } from './messages.ts';

type Channel = Row<'alert_channels'>;

/** Fields of every channel. */
interface Common {
  name: string;
  active: boolean;
  min_severity: AlertSeverity;
}
interface EmailInput extends EmailSettings {
  password: string | null;
  /** The server also sends the alerts of partners. */
  for_partners: boolean;
}
interface SlackInput {
  /** The incoming webhook's URL. Records hide it because of its name. */
  credential: string;
}

export type NewChannel = Common & (({ kind: 'email' } & EmailInput) | ({ kind: 'slack' } & SlackInput));
export type ChannelPatch = Partial<Common & EmailInput & SlackInput>;

interface Step {
  tx: Rows;
  now: number;
}

export interface ChannelRules {
  keys: Keyring;
  allowLoopback: boolean;
}

/** A channel after a change. `replaces`: the channel that sent the messages of partners until this one took over, or null. */
export interface ChangedChannel {
  channel: Channel;
  replaces: Channel | null;
}

/** Each message of an alert is a row for each channel. */
const maxChannels = 50;

const emailFields = ['host', 'port', 'security', 'username', 'password', 'from', 'to', 'for_partners'] as const;
const fieldsOf: Record<AlertChannelKind, readonly string[]> = { email: emailFields, slack: ['credential'] };

export async function createChannel({ tx, now }: Step, input: NewChannel, rules: ChannelRules): Promise<ChangedChannel> {
  const { kind, name, active, min_severity } = input;
  if ((await tx.count('alert_channels')) >= maxChannels)
    throw new Refusal('conflict', 'too_many_channels', `There are ${maxChannels} channels already. Remove one first.`);
  const own = kind === 'slack' ? slackOf(input, rules) : emailOf(input, rules);
  const for_partners = kind === 'email' && input.for_partners;
  const replaces = for_partners ? await serveNoPartners(tx, now) : null;
  const ids = { id: newId('alc'), kind, name, active, for_partners, min_severity, created_at: now, updated_at: now };
  const made = { ...ids, ...own, last_answer: null, last_sent_at: null, failing_since: null };
  await tx.insert('alert_channels', [made]);
  if (active) await tellOfOpen(tx, made.id, min_severity === 'critical' ? { severity: 'critical' } : {}, now);
  return { channel: made, replaces };
}

/** Changes the given fields. Without a `password` or `url` the stored one stays. */
export async function updateChannel(
  { tx, now }: Step,
  id: string,
  patch: ChannelPatch,
  rules: ChannelRules,
): Promise<ChangedChannel> {
  const before = await readChannel(tx, id, { lock: true });
  const { name, active, for_partners, min_severity } = { ...before, ...defined(patch) };
  checkFields(before.kind, patch);
  const own = before.kind === 'slack' ? slackOf(patch, rules, before) : emailOf(patch, rules, before);
  if (!active) await skipWaiting(tx, id);
  const replaces = for_partners && !before.for_partners ? await serveNoPartners(tx, now) : null;
  const fields = { name, active, for_partners, min_severity };
  const [changed] = await tx.update('alert_channels', { id }, { ...fields, ...own, updated_at: now });
  return { channel: changed as Channel, replaces };
}

/** Removes the channel. Messages that wait for it are skipped. */
export async function removeChannel({ tx }: Pick<Step, 'tx'>, id: string): Promise<void> {
  await readChannel(tx, id, { lock: true });
  await skipWaiting(tx, id);
  await tx.remove('alert_channels', { id });
}

/** Only one channel sends the messages of partners. Ends this for the present one and returns it, so that another can take over. */
async function serveNoPartners(tx: Rows, now: number): Promise<Channel | null> {
  const [before] = await tx.update('alert_channels', { for_partners: true }, { for_partners: false, updated_at: now });
  return before ?? null;
}

const skipWaiting = (tx: Rows, id: string) =>
  tx.update('alert_messages', { channel_id: id, status: 'pending' }, { status: 'skipped' });

/** Throws `not_found`. */
export async function readChannel(rows: Rows, id: string, options?: { lock?: boolean }): Promise<Channel> {
  const channel = await rows.get('alert_channels', { id }, options);
  if (channel) return channel;
  throw notFound('id', `There is no channel ${JSON.stringify(id)}. GET /manage/v1/alerts/channels lists all of them.`);
}

const defined = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;

function checkFields(kind: AlertChannelKind, patch: ChannelPatch): void {
  const foreign = fieldsOf[kind === 'slack' ? 'email' : 'slack'];
  const wrong = Object.keys(defined(patch)).find((field) => foreign.includes(field));
  if (wrong !== undefined)
    throw invalid(wrong, 'other_kind', `A channel of the kind ${kind} has no ${wrong}. It has ${fieldsOf[kind].join(', ')}.`);
}

type Own = Pick<Channel, 'settings' | 'sealed'>;

/** Fields that are not given keep their values. */
function emailOf({ password, ...patch }: Partial<EmailInput>, { keys }: ChannelRules, before?: Channel): Own {
  const known = before?.settings as EmailSettings | undefined;
  const { host, port, security, username, from, to } = { ...known, ...defined(patch) } as EmailSettings;
  const settings = { host, port, security, username, from, to };
  if (known && before?.sealed && password === undefined && patch.username !== null) {
    // A stored password goes to no other server: who may change a channel must not learn it.
    if ((['host', 'port', 'security'] as const).some((field) => settings[field] !== known[field]))
      throw invalid('password', 'needed_again', 'Enter the password again: the channel would send it to another server.');
    return { settings, sealed: before.sealed };
  }
  checkLogin(settings, typeof password === 'string');
  return { settings, sealed: typeof password === 'string' ? keys.seal(password) : null };
}

function checkLogin({ host, security, username }: EmailSettings, hasPassword: boolean): void {
  if ((username !== null) !== hasPassword)
    throw invalid('password', 'with_username', 'A user name and a password belong together: give both, or neither.');
  if (hasPassword && security === 'none' && !isLoopback(host))
    throw invalid(
      'security',
      'password_in_plain',
      'Without TLS the password would be sent in plain text. Choose tls or starttls.',
    );
}

function slackOf({ credential }: Partial<SlackInput>, { keys, allowLoopback }: ChannelRules, before?: Channel): Own {
  if (credential === undefined && before) return { settings: before.settings, sealed: before.sealed };
  const parsed = URL.parse(credential ?? '');
  if (!parsed) throw invalid('credential', 'url', 'is not a URL. Copy the whole address of the incoming webhook.');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid('credential', 'url_credentials', 'contains a user name or password. Incoming webhooks need none.');
  const refused = refusedUrl(parsed, { loopback: allowLoopback });
  if (refused !== null)
    throw invalid('credential', 'url_not_public', `Alerts cannot go there: ${refused}. Give an https URL at a public address.`);
  parsed.hash = '';
  return { settings: { host: parsed.host }, sealed: keys.seal(parsed.href) };
}

/** True for a name or address that a connection can be opened to. */
export const isHost = (host: string): boolean =>
  isIP(host) > 0 || /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i.test(host);

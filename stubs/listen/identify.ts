import type { RequestInit, Response } from 'undici';
import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import type { Program } from '../../gateway/http/probes.ts';
import { serviceNames, services } from '../../spec/documents/services.ts';

/** How long a command waits for a reply. */
export const deadlineMs = 30_000;

/**
 * Asks what is at this URL, without the operator's token and without a change: a stranger must get neither. `option` gave the
 * URL. Throws `CouldNotRun` if it is no stub and no gateway. Later calls must not follow redirects, which lead to other programs.
 */
export async function identify(at: string, option = '--at'): Promise<Program> {
  const reply = await callPlace(at, '/healthz', { redirect: 'manual', signal: AbortSignal.timeout(deadlineMs) }, option);
  const said = (await reply.json().catch(() => null)) as {
    passerelle?: unknown;
    error?: { code?: unknown; message: string };
  } | null;
  if (said?.passerelle === 'stub' || said?.passerelle === 'gateway') return said.passerelle;
  if (said?.error?.code === 'unknown_world') throw new CouldNotRun(said.error.message);
  const { origin, pathname } = new URL(at);
  // A path at the address of a world may not exist at the address of its stub.
  const [, world = '', rest = ''] = /^(\/_stub\/worlds\/[^/]+)?(.*)$/.exec(pathname) ?? [];
  const hint = /^\/?$/.test(rest) ? '' : ` Leave out ${world ? rest : 'the path'}: ${origin}${world}`;
  throw new CouldNotRun(`${at} is the address of neither a stub nor a gateway: its /healthz does not say so.${hint}`);
}

/** Calls a stub or gateway at the URL that this option gave. Throws `CouldNotRun` if nothing answers. */
export async function callPlace(at: string, path: string, sent: RequestInit, option?: string): Promise<Response> {
  // Loaded here, because a stub starts without it.
  const { explainFailure, fetchFrom } = await import('../../contracts/tools/outgoing.ts');
  return fetchFrom(pathAt(at, path), sent).catch((error: Error) => {
    throw error instanceof CouldNotRun ? error : unanswered(at, error, explainFailure(at, error), option);
  });
}

export const pathAt = (at: string, path: string): string => `${at.replace(/\/+$/, '')}${path}`;

/** OpenSSL's words for a certificate whose authority is not known. */
const untrusted = /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/;

/** The error if nothing answers at the URL that this option gave. */
function unanswered(at: string, { cause }: Error, why: string, option = '--at'): CouldNotRun {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (untrusted.test(code))
    return new CouldNotRun(
      `The certificate of ${at} is not trusted (${why}). Set NODE_EXTRA_CA_CERTS to the file that the stub names at its start.`,
    );
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return new CouldNotRun(`${at} does not answer in https. Give its URL with http: ${option} ${at.replace(/^https/, 'http')}`);
  if (code === 'UND_ERR_SOCKET' && at.startsWith('http:'))
    return new CouldNotRun(
      `${at} closes the connection (${why}). If it serves https, use ${option} ${at.replace(/^http/, 'https')}`,
    );
  const api = serviceNames.find((name) => new URL(at).port === String(services[name].stubPort)) ?? serviceNames[0];
  return new CouldNotRun(
    `Nothing answers at ${at} (${why}). Start a stub (passerelle stub ${api}) or a gateway (passerelle gateway), or give its URL with ${option}.`,
  );
}

/** An id as a part of a path. URLs have no way to write `.` and `..` as names, so that these would be other paths. */
export function idInPath(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new CouldNotRun(`"${id}" is not an id.`);
}

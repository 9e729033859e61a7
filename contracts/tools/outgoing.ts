import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { isThisMachine } from '../../gateway/base/addresses.ts';
import { hostOf } from '../../gateway/base/hosts.ts';
import { skipInterimAnswers } from '../../gateway/base/interim-answers.ts';

let direct: Dispatcher | undefined;
let proxied: Dispatcher | undefined;

/**
 * Returns the connections for a call to a broker or a provider. They honour HTTP_PROXY, HTTPS_PROXY and NO_PROXY. A call to this machine
 * never goes through a proxy: there the address is another machine's, and a token would be read on the way.
 */
export function dispatcherFor(url: string): Dispatcher {
  skipInterimAnswers();
  if (isThisMachine(hostOf(new URL(url).hostname))) {
    direct ??= new Agent();
    return direct;
  }
  proxied ??= new EnvHttpProxyAgent();
  return proxied;
}

const thisMachine = ['localhost', '127.0.0.1', '::1', '[::1]'];

/** Returns the environment of a child process that calls this machine: its variables name this machine as an exception of the proxy. */
export function environmentOfChild(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const given = environment.no_proxy ?? environment.NO_PROXY ?? '';
  const exceptions = given.trim() === '*' ? given : [given, ...thisMachine].filter(Boolean).join(',');
  return { ...environment, NO_PROXY: exceptions, no_proxy: exceptions };
}

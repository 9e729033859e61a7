import { CouldNotRun } from '../../contracts/tools/could-not-run.ts';
import { nearestOf } from '../../gateway/base/nearest.ts';
import type { ServiceName } from '../../spec/documents/services.ts';
import type { CohesionCredentials, PosCredentials } from '../credentials.ts';
import type { Stub } from '../types.ts';

/** A variable of the environment for the suite: `SHOP_API={url}/api/v1`. Without a value it is the stub's address. */
export interface Variable {
  name: string;
  value: string;
}

/** What `{name}` stands for in the value of a variable. */
function placeholdersOf({ api, url, secret, operatorToken, credentials }: Stub<ServiceName>): Record<string, string> {
  const own: Record<string, string> =
    api === 'pos'
      ? { api_key: (credentials as PosCredentials).apiKey, api_secret: (credentials as PosCredentials).apiSecret }
      : { token: (credentials as CohesionCredentials).token };
  return { url, ...own, signing_secret: secret, operator_token: operatorToken };
}

/** The variables that `--env` adds, by the API whose stub they are about. */
export type Variables = Partial<Record<ServiceName, readonly Variable[]>>;

/**
 * The environment of the suite: the addresses and credentials of its stubs, as `passerelle stub` prints them. The first stub has the
 * names that belong to no API. `caFile`: what clients of stubs with https trust. Throws `CouldNotRun`.
 */
export function environmentOf(
  stubs: readonly Stub<ServiceName>[],
  variables: Variables,
  caFile?: string,
): Record<string, string> {
  const ofEach = stubs.map((stub) => environmentOfStub(stub, variables[stub.api] ?? [], caFile));
  return Object.assign({}, ...ofEach.reverse(), caFile && { NODE_EXTRA_CA_CERTS: caFile });
}

function environmentOfStub(
  stub: Stub<ServiceName>,
  variables: readonly Variable[],
  caFile: string | undefined,
): Record<string, string> {
  const known = { ...placeholdersOf(stub), ...(caFile && { ca_file: caFile }) };
  const before = `PASSERELLE_${stub.api.toUpperCase()}_`;
  const { signing_secret, operator_token, ...own } = known as Record<string, string>;
  const tokens = stub.api === 'cohesion' ? (stub.credentials as CohesionCredentials).tokens : [];
  const ofAbility = tokens
    .filter(({ abilities }) => abilities.length === 1)
    .map(({ abilities, token }) => [`${before}TOKEN_${abilities[0]?.toUpperCase().replaceAll(/[^A-Z]/g, '_')}`, token]);
  return {
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [`${before}${name.toUpperCase()}`, value])),
    ...Object.fromEntries(ofAbility),
    PASSERELLE_URL: stub.url,
    PASSERELLE_OPERATOR_TOKEN: stub.operatorToken,
    PASSERELLE_SIGNING_SECRET: stub.secret,
    ...Object.fromEntries(variables.map(({ name, value }) => [name, filled(value, known)])),
  };
}

function filled(value: string, known: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (Object.hasOwn(known, name)) return known[name] as string;
    if (name === 'ca_file') throw new CouldNotRun('--env: {ca_file} needs --tls, with which a stub has a certificate.');
    const names = Object.keys(known);
    throw new CouldNotRun(`--env knows no {${name}}. Did you mean {${nearestOf(name, names)}}? It knows ${names.join(', ')}.`);
  });
}

/** Says that a command called no stub of these APIs, and how it finds them. */
export function notCalled(command: string, apis: readonly ServiceName[]): string {
  const places = apis.map((api) => `PASSERELLE_${api.toUpperCase()}_URL`).join(' and ');
  const [stub, address] = apis.length > 1 ? ['a stub', 'The addresses are'] : [`the stub of ${apis[0]}`, 'Its address is'];
  return `${command} did not call ${stub}. ${address} in ${places}; --env NAME passes it under another name.`;
}

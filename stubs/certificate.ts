import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Certified } from '../gateway/start/tls.ts';

/** How long a made certificate is valid. Apple's systems refuse more than 825 days. */
const validMs = 365 * 86_400_000;
/** Clocks of containers and virtual machines may be behind. */
const earlierMs = 86_400_000;

/**
 * Makes a certificate for these hosts, and the authority that issued it, which clients are to trust. The authority's key is
 * forgotten: nobody can issue another certificate that they would trust. Throws if a host is neither an address nor a name.
 */
export function makeCertificate(hosts: readonly string[], nowMs: number): Certified<string> & { ca: string } {
  const [authority, own] = [newKey(), newKey()];
  // Some clients look for an authority by its name alone, also among those of several stubs.
  const issuer = { ...authority, name: `Passerelle stub authority ${keyId(authority).toString('hex', 0, 4)}` };
  const valid = { fromMs: nowMs - earlierMs, toMs: nowMs + validMs };
  const ca = issued(issuer, { ...issuer, ...valid, extensions: ofAuthority });
  const cert = issued(issuer, { ...own, ...valid, name: 'Passerelle stub', extensions: ofServer(hosts) });
  return { ca, cert, key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

interface Key {
  privateKey: KeyObject;
  /** Its SubjectPublicKeyInfo in DER. */
  publicKey: Buffer;
}

interface Subject extends Key {
  name: string;
  fromMs: number;
  toMs: number;
  extensions: readonly Buffer[];
}

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, publicKey: publicKey.export({ type: 'spki', format: 'der' }) };
}

// X.509 (RFC 5280), section 4.1, as far as a certificate of a stub needs it. Node reads certificates, but makes none.

/** One value of ASN.1 in DER, made of other values or of bytes. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const long = [body.length >> 8, body.length & 255].filter((byte, at) => at === 1 || byte > 0);
  return Buffer.concat([Buffer.from([tag, ...(body.length < 128 ? [body.length] : [0x80 + long.length, ...long])]), body]);
}

const sequence = (...values: readonly Uint8Array[]) => der(0x30, ...values);
const octets = (value: Uint8Array) => der(0x04, value);
const bits = (value: Uint8Array, unused = 0) => der(0x03, Buffer.from([unused]), value);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const number = (value: Uint8Array) => der(0x02, value);
const isTrue = der(0x01, Buffer.from([0xff]));
/** UTCTime, which RFC 5280 asks for until 2049. */
const time = (ms: number) => der(0x17, Buffer.from(`${new Date(ms).toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`));
const commonName = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));

const extension = (id: string, value: Uint8Array) => sequence(oid(id), octets(value));
const critical = (id: string, value: Uint8Array) => sequence(oid(id), isTrue, octets(value));

/** basicConstraints: an authority, of which certificates of servers only; keyUsage: keyCertSign. */
const ofAuthority = [
  critical('551d13', sequence(isTrue, number(Buffer.from([0])))),
  critical('551d0f', bits(Buffer.from([0x04]), 2)),
];

/** basicConstraints: no authority; keyUsage: digitalSignature; extendedKeyUsage: serverAuth; subjectAltName. */
const ofServer = (hosts: readonly string[]) => [
  critical('551d13', sequence()),
  critical('551d0f', bits(Buffer.from([0x80]), 7)),
  extension('551d25', sequence(oid('2b06010505070301'))),
  extension('551d11', sequence(...hosts.map(alternativeName))),
];

const alternativeName = (host: string) =>
  isIP(host) === 0 ? der(0x82, Buffer.from(host)) : der(0x87, Buffer.from(ipaddr.parse(host).toByteArray()));

/** A key's identifier: the start of its hash (RFC 7093), without the bytes before it that name its kind. */
const keyId = ({ publicKey }: Pick<Key, 'publicKey'>) => hash('sha256', publicKey.subarray(-65), 'buffer').subarray(0, 20);

/** The certificate of a subject, in PEM, signed by its issuer with ECDSA and SHA-256. */
function issued(issuer: Key & { name: string }, subject: Subject): string {
  const algorithm = sequence(oid('2a8648ce3d040302'));
  // A positive number.
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(15)]);
  const extensions = [
    ...subject.extensions,
    extension('551d0e', octets(keyId(subject))),
    extension('551d23', sequence(der(0x80, keyId(issuer)))),
  ];
  const toSign = sequence(
    der(0xa0, number(Buffer.from([2]))),
    number(serial),
    algorithm,
    commonName(issuer.name),
    sequence(time(subject.fromMs), time(subject.toMs)),
    commonName(subject.name),
    subject.publicKey,
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', toSign, issuer.privateKey);
  const lines = sequence(toSign, algorithm, bits(signature)).toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

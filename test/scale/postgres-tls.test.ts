import { expect, test } from 'vitest';
import { SettingsError } from '../../gateway/base/errors.ts';
import { openLog } from '../../gateway/base/log.ts';
import { openPostgres } from '../../gateway/store/sql/postgres.ts';
import { certificateFor, startPostgres } from './private-services.ts';
import { onScale } from './services.ts';

onScale('PostgreSQL over TLS', () => {
  test('verify-full takes a certificate of the authority for this host, and no other', async () => {
    const { authority, file, key } = await certificateFor('DNS:localhost');
    const { url } = await startPostgres({ settings: { ssl: 'on', ssl_cert_file: file, ssl_key_file: key } });
    const open = async (host: string, more = `&sslrootcert=${authority}`) => {
      const verified = `${url.replace('127.0.0.1', host)}?sslmode=verify-full${more}`;
      const store = await openPostgres({ url: verified, connections: 2, log: openLog('silent') });
      await store.close();
      return 'opened';
    };
    expect(await open('localhost')).toBe('opened');
    for (const [host, more, why] of [
      ['127.0.0.1', undefined, /does not match certificate's altnames/],
      ['localhost', '', /certificate/],
      ['localhost', '&sslrootcert=/nowhere.pem', /ENOENT.*nowhere/],
    ] as const) {
      const error = await open(host, more).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(SettingsError);
      expect((error as Error).message).toMatch(why);
    }
  });
});

onScale('PostgreSQL without TLS', () => {
  test('is refused if the setting asks for TLS', async () => {
    const { url } = await startPostgres();
    const opening = openPostgres({ url: `${url}?sslmode=verify-full`, connections: 2, log: openLog('silent') });
    await expect(opening).rejects.toThrow(/^PostgreSQL rejected DATABASE_URL: .*does not support SSL/);
  });

  test.each([
    ['sslmode=disable&sslnegotiation=direct', 'requires SSL to be enabled'],
    ['sslmode=verify-ca&uselibpqcompat=true', 'requires specifying a CA'],
  ])('parameters that contradict each other are refused: %s', async (parameters, why) => {
    const opening = openPostgres({ url: `postgres://127.0.0.1:1/x?${parameters}`, connections: 2, log: openLog('silent') });
    await expect(opening).rejects.toThrow(SettingsError);
    await expect(opening).rejects.toThrow(why);
  });
});

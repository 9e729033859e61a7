import { expect, test } from 'vitest';
import { hashSecret, matchesHash, newSecret } from '../../gateway/base/keyring.ts';

test('a secret matches its own hash only, whatever was compared before', () => {
  const [one, other] = [newSecret('sk_'), newSecret('sk_')];
  for (let turn = 0; turn < 2; turn++) {
    expect(matchesHash(one, hashSecret(one))).toBe(true);
    expect(matchesHash(other, hashSecret(one))).toBe(false);
    expect(matchesHash('', hashSecret(one))).toBe(false);
    expect(matchesHash(one, undefined)).toBe(false);
  }
});

test('a stored hash that is shorter, longer or empty matches nothing, also right after the secret matched', () => {
  const secret = newSecret('sk_');
  const hash = hashSecret(secret);
  for (const wrong of ['', hash.slice(0, 10), hash.slice(0, -1), `${hash}0`]) {
    expect(matchesHash(secret, hash)).toBe(true);
    expect(matchesHash(secret, wrong)).toBe(false);
  }
});

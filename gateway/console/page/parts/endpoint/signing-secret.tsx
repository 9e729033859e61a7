import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { text } from '../../texts/shared.ts';
import { Code, Copy } from '../code.tsx';
import { Hint } from '../hint.tsx';
import { SecretOnce } from '../secret-once.tsx';

const verify = `import { createHmac, timingSafeEqual } from 'node:crypto';

// rawBody: the bytes as received, before any parsing. Answer 401 if this returns false.
export function isGenuine(rawBody, headers, secret = process.env.SECRET) {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': given = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(at)) < 300)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${at}.\`).update(rawBody).digest();
  return given.split(' ').some((one) => {
    const signature = Buffer.from(one.slice('v1,'.length), 'base64');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}`;

const linkTo = (href: string) => (label: string) => (
  <Anchor href={href} target="_blank" inherit underline="always">
    {label}
  </Anchor>
);

/** A new signing secret, shown once, and code that verifies with it. */
export const SigningSecret = ({ secret, note }: { secret: string; note?: ReactNode }) => (
  <Stack>
    <SecretOnce what={text.parts.secret.signing}>
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" className="mono break-anywhere" data-secret>
          {secret}
        </Text>
        <Copy text={secret} />
      </Group>
    </SecretOnce>
    {note}
    <Code title={text.parts.secret.verification} text={verify} />
    <Hint>{text.parts.secret.learnMore(linkTo('/docs'), linkTo('/docs/guides/partners/receive-webhooks'))}</Hint>
  </Stack>
);

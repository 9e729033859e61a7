import { Group, Text } from '@mantine/core';

/** The product's logo and name. */
export const Logo = () => (
  <Group gap={8} wrap="nowrap">
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b7285" />
      <path
        d="M4 23Q16 5 28 23M9 23v-4.5M16 23v-9M23 23v-4.5"
        fill="none"
        stroke="#e6fcf5"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </svg>
    <Text fw={700} size="lg" component="span" className="wordmark">
      Passerelle
    </Text>
  </Group>
);

import { Text } from '@mantine/core';

/** A call's method and path. The API's common prefix is dimmed. */
export function MethodAndPath({ method, path }: { method: string; path: string }) {
  const [, base = '', rest = path] = /^(\/[a-z]+(?:\/api)?\/v1)(\/.*)$/s.exec(path) ?? [];
  return (
    <span className="mono" title={path}>
      <b>{method}</b>{' '}
      <Text span inherit c="dimmed">
        {base}
      </Text>
      {rest}
    </span>
  );
}

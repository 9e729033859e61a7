import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Endpoint } from '../lib/endpoint-state.ts';
import { linkTo } from '../lib/filters.ts';
import { partnerPages } from '../lib/partners.ts';
import { text } from '../texts/index.ts';

/** Whom an endpoint belongs to, with a link to its page. */
export function Owner({ of: { id, kind, name } }: { of: Endpoint['owner'] }) {
  if (id === null || kind === null) return <span>{text.parts.operator}</span>;
  return (
    <Anchor component={Link} inherit href={linkTo(partnerPages[kind], { row: id.slice(kind.length + 1) })}>
      <bdi>{name ?? id}</bdi>
    </Anchor>
  );
}

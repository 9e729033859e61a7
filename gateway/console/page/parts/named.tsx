import { TwoLines } from './two-lines.tsx';

interface NamedProps {
  name: string | null;
  id: string;
  /** The id as it is shown. */
  short?: string;
}

/** The name of a store, a structure or a partner, and its id. */
export function Named({ name, id, short = id }: NamedProps) {
  const code = (
    <span className="mono" title={id}>
      {short}
    </span>
  );
  return name === null ? code : <TwoLines main={<bdi>{name}</bdi>} more={code} title={`${name} (${id})`} />;
}

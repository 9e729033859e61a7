import { Frame } from '../../parts/frame.tsx';
import { ResourceList } from '../../parts/resource/resource-list.tsx';
import { text } from '../../texts/index.ts';
import { erasures } from './erasures.tsx';

/** What was erased about persons, and the form for it. */
export default function Erasures() {
  return (
    <Frame title={text.erasures.title}>
      <ResourceList resource={erasures} path="/erasures" />
    </Frame>
  );
}

import { Frame } from '../parts/page.tsx';

export default function Events() {
  return <Frame title="Events">to come</Frame>;
}

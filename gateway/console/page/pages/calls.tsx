import { Frame } from '../parts/page.tsx';

export default function Calls() {
  return <Frame title="Calls">to come</Frame>;
}

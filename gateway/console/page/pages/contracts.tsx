import { Frame } from '../parts/page.tsx';

export default function Contracts() {
  return <Frame title="Contracts">to come</Frame>;
}

import { Frame } from '../parts/page.tsx';

export default function Operators() {
  return <Frame title="Operators">to come</Frame>;
}

import { Frame } from '../parts/page.tsx';

export default function Limits() {
  return <Frame title="Limits">to come</Frame>;
}

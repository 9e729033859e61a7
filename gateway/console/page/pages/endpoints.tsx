import { Frame } from '../parts/page.tsx';

export default function Endpoints() {
  return <Frame title="Endpoints">to come</Frame>;
}

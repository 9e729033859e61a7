import { Frame } from '../parts/page.tsx';

export default function Endpoint() {
  return <Frame title="Endpoint">to come</Frame>;
}

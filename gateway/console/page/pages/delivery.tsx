import { Frame } from '../parts/page.tsx';

export default function Delivery() {
  return <Frame title="Delivery">to come</Frame>;
}

import { Frame } from '../parts/page.tsx';

export default function Event() {
  return <Frame title="Event">to come</Frame>;
}

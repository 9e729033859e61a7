import { Frame } from '../parts/page.tsx';

export default function Overview() {
  return <Frame title="Overview">to come</Frame>;
}

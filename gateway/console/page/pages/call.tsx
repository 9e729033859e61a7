import { Frame } from '../parts/page.tsx';

export default function Call() {
  return <Frame title="Call">to come</Frame>;
}

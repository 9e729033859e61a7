import { Frame } from '../parts/page.tsx';

export default function BackOffice() {
  return <Frame title="BackOffice">to come</Frame>;
}

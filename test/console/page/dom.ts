import { Window } from 'happy-dom';
import { text } from '../../../gateway/console/page/texts/index.ts';
import { setSharedTexts } from '../../../gateway/console/page/texts/shared.ts';

const window = new Window({ url: 'http://gateway.test/console/', width: 1280, height: 900 });

/**
 * Only what the page needs: Node's fetch, URL, timers and AbortSignal stay, because the gateway runs in the same process.
 * Events have to be the window's own.
 */
const names = [
  ...['document', 'navigator', 'location', 'history', 'matchMedia', 'getComputedStyle', 'getSelection', 'localStorage'],
  ...['addEventListener', 'removeEventListener', 'dispatchEvent', 'scrollTo', 'devicePixelRatio'],
  ...['requestAnimationFrame', 'cancelAnimationFrame', 'MutationObserver', 'ResizeObserver', 'IntersectionObserver'],
  ...['Node', 'Element', 'HTMLElement', 'HTMLInputElement', 'HTMLIFrameElement', 'SVGElement', 'DocumentFragment'],
  ...[
    'EventTarget',
    'Event',
    'CustomEvent',
    'UIEvent',
    'KeyboardEvent',
    'MouseEvent',
    'PointerEvent',
    'FocusEvent',
    'InputEvent',
  ],
] as const;

// There is no layout, and computing styles would take most of the time of the tests.
const noStyle = { display: 'block', visibility: 'visible', getPropertyValue: () => '' };
window.getComputedStyle = () => noStyle as never;

for (const name of names) {
  const value = window[name as keyof Window] as unknown;
  const isMethod = typeof value === 'function' && /^[a-z]/.test(name);
  Object.defineProperty(globalThis, name, { value: isMethod ? value.bind(window) : value, configurable: true, writable: true });
}
Object.assign(globalThis, { window, self: window });
// Mantine's text areas wait for fonts.
Object.assign(window.document, { fonts: new window.EventTarget() });
// React warns about tags that the window does not know, such as <search>.
Object.defineProperty(window.HTMLUnknownElement.prototype, Symbol.toStringTag, { value: 'HTMLElement' });

/** Answers the page's requests. The page's client keeps the `fetch` it finds when it is loaded, so that one delegates here. */
export const network: { fetch: typeof fetch } = { fetch: () => Promise.reject(new Error('No gateway is connected.')) };
globalThis.fetch = (...args) => network.fetch(...args);

// As in `start.ts`: the page's modules read the texts when they are loaded. The client makes events of the window.
const { connectApi } = await import('../../../gateway/console/page/lib/api.ts');
connectApi({ prefix: '/manage/v1', guardHeader: 'x-passerelle-console' });
setSharedTexts(text);

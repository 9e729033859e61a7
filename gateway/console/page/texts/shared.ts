import type * as en from './en/index.ts';

/** The texts of the parts that the console and the profile of partners have in common. */
export interface SharedTexts
  extends Pick<
    typeof en,
    'frame' | 'parts' | 'calls' | 'call' | 'deliveries' | 'delivery' | 'endpointParts' | 'limitUse' | 'delays'
  > {
  server: Omit<(typeof en)['server'], 'notices' | 'verdict'>;
}

/** These texts in the viewer's language. Each page sets them before it loads any module that reads them. */
export let text: SharedTexts;

export function setSharedTexts(texts: SharedTexts): void {
  text = texts;
}

import type * as en from './en/index.ts';

/** The texts of the parts that the console and the profile of partners have in common. */
export interface SharedTexts
  extends Pick<
    typeof en,
    'frame' | 'parts' | 'calls' | 'call' | 'deliveries' | 'delivery' | 'endpointParts' | 'limitUse' | 'server'
  > {}

/** These texts in the language of the page. Each page sets them before it loads any module that reads them. */
export let text: SharedTexts;

export function setSharedTexts(texts: SharedTexts): void {
  text = texts;
}

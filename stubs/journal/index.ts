export type { Har } from '../../gateway/http/record/har.ts';
export type { RecordedCall } from './call.ts';
export type { CallFilter } from './filter.ts';
export { Journal, type JournalOptions, type WaitOptions } from './journal.ts';
export { curlOf } from './shown.ts';
export { journalSink, keepUnreadBodies } from './sink.ts';

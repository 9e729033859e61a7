export type { Har } from '../../gateway/http/record/har.ts';
export type { RecordedCall } from './call.ts';
export type { CallFilter } from './filter.ts';
export { type InstallJournalOptions, installJournal } from './install.ts';
export { Journal, type JournalOptions, type WaitOptions } from './journal.ts';
export { curlOf } from './shown.ts';

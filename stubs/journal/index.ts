export type { RecordedCall } from './call.ts';
export { curlOf } from './curl.ts';
export type { CallFilter } from './filter.ts';
export type { Har } from './har.ts';
export { type InstallJournalOptions, installJournal } from './install.ts';
export { Journal, type JournalOptions, type WaitOptions } from './journal.ts';

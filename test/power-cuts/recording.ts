import fs from 'node:fs';
import { deserialize, serialize } from 'node:v8';

/** What happened to the files of a data folder, and what a caller was told, in this order. Paths are relative to the folder. */
export type Entry =
  /** A process has started, with no file open. */
  | { what: 'started' }
  | { what: 'opened'; file: number; path: string; isNew: boolean; isEmptied: boolean }
  | { what: 'closed'; file: number }
  | { what: 'written'; file: number; position: number; bytes: Uint8Array }
  | { what: 'resized'; path: string; size: number }
  | { what: 'folder made'; path: string }
  | { what: 'renamed'; from: string; to: string }
  | { what: 'removed'; path: string }
  /** A sync covers what happened before it began, once it has ended. */
  | { what: 'sync began'; file: number; id: string }
  | { what: 'sync ended'; id: string }
  | { what: 'acknowledged'; saleId: string };

/** Node's own, before the recorder replaces them. */
const { openSync, readFileSync, writeSync } = fs;

/** Returns a function that adds an entry. Threads and processes may do so at once: the operating system appends them one by one. */
export function openRecording(recording: string): (entry: Entry) => void {
  const file = openSync(recording, 'a');
  return (entry) => void writeSync(file, `\n${serialize(entry).toString('base64')}`);
}

export function readRecording(recording: string): Entry[] {
  return readFileSync(recording, 'latin1').split('\n').slice(1).flatMap(entryOf);
}

/** A process that is killed may leave a part of an entry. */
function entryOf(line: string): Entry[] {
  try {
    return [deserialize(Buffer.from(line, 'base64'))];
  } catch {
    return [];
  }
}

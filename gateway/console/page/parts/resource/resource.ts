import type { ReactNode } from 'react';
import type { PageOfRows } from '../../lib/rows.ts';
import type { Filter } from '../filter-bar.tsx';
import type { ListColumn } from '../list.tsx';

/** What a form has in it, ready to be sent. */
export type Values = Readonly<Record<string, unknown>>;

/** One field of a form: its name is the API's. */
export interface Field {
  name: string;
  label: string;
  /** `list` is texts, `numbers` whole numbers, each with commas between; `lines` are a product and a quantity on each line. */
  kind: 'text' | 'number' | 'choice' | 'choices' | 'flag' | 'list' | 'numbers' | 'lines' | 'date' | 'instant';
  choices?: readonly string[];
  help?: string;
  placeholder?: string;
  /** What it has in it at first, as the API has it. */
  initial?: unknown;
  /** Where nothing stands in it, `null` is sent rather than nothing. */
  emptyIsNull?: boolean;
  optional?: boolean;
}

/** What came of an action. */
export interface Outcome {
  said: string;
  /** The types of the events that it caused. */
  causes?: readonly string[];
  secret?: { what: string; text: string };
  /** The id of the row that it made. */
  made?: string;
}

export interface Action<R> {
  label: string;
  /** Whether it makes sense as the row stands; always unless told. */
  offered?(row: R): boolean;
  /** What it asks for; it is done at once where it asks nothing. */
  fields?(row: R): readonly Field[];
  /** Where it asks before: what will happen. */
  consequences?: readonly string[];
  run(row: R, values: Values): Promise<Outcome>;
}

export type Query = Record<string, string | number | undefined>;

/** A list of the back office with what can be done there, as data. */
export interface Resource<R> {
  /** Tells it from the others, in addresses and caches. */
  name: string;
  title: string;
  about: string;
  empty: string;
  filters?: readonly Filter[];
  load(query: Query): Promise<PageOfRows<R>>;
  /** Reads one that may be in none of the pages shown so far; the list is looked through where it is left out. */
  read?(id: string): Promise<R>;
  idOf(row: R): string;
  titleOf(row: R): string;
  columns: readonly ListColumn<R>[];
  facts?(row: R): readonly (readonly [string, ReactNode])[];
  /** What one row holds beside facts. */
  content?(row: R): ReactNode;
  /** What belongs to one row, such as an account's keys. */
  within?(row: R): readonly Resource<object>[];
  create?: Action<null>;
  actions: readonly Action<R>[];
}

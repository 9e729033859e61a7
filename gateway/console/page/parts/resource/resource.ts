import type { ReactNode } from 'react';
import type { PageOfRows } from '../../lib/rows.ts';
import type { Filter } from '../filter-bar.tsx';
import type { ListColumn } from '../list.tsx';

/** A form's values as a request body. */
export type Values = Readonly<Record<string, unknown>>;

/** One field of a form that makes a request body. Its name is the API's. */
export interface Field<Name extends string = string> {
  name: Name;
  label: string;
  /** `list` and `numbers` are separated by commas. `lines` has a product and a quantity on each line, `area` any text. `secret` is hidden. */
  kind: 'text' | 'area' | 'secret' | 'number' | 'choice' | 'choices' | 'flag' | 'list' | 'numbers' | 'lines' | 'date' | 'instant';
  choices?: readonly string[];
  /** What is shown for a choice. Default: the choice itself. */
  labels?: Readonly<Record<string, string>>;
  help?: string;
  placeholder?: string;
  /** The initial value, as the API has it. */
  initial?: unknown;
  /** Sends `null` if the field is empty, instead of leaving it out. */
  emptyIsNull?: boolean;
  optional?: boolean;
  /** True for a field that is seldom used. It is hidden below the others until the operator opens that part. */
  isMore?: boolean;
}

export interface ActionResult {
  message: string;
  /** The types of the events that the action sent. */
  events?: readonly string[];
  secret?: { what: string; text: string };
  /** What another server answered to the action. */
  says?: { ok: boolean; text: string };
  createdId?: string;
}

export interface Action<R> {
  label: string;
  /** Returns true if the action is possible for the row. Default: always. */
  offered?(row: R): boolean;
  /** The fields of its form. Without fields, the action runs at once. */
  fields?(row: R): readonly Field[];
  /** The effects to confirm first. */
  consequences?: readonly string[];
  /** `values` are those of the fields, as the request body of the operation. The API validates them. */
  run(row: R, values: Values): Promise<ActionResult>;
}

/** A list of rows with its columns, forms and actions, as data. */
export interface Resource<R> {
  /** Unique, for addresses and caches. */
  name: string;
  title: string;
  /** Explains the list to the operator. */
  description: string;
  empty: string;
  filters?: readonly Filter[];
  load(query: Record<string, string | number | undefined>): Promise<PageOfRows<R>>;
  /** Reads one row. If left out, the list's pages are searched for it. */
  read?(id: string): Promise<R>;
  idOf(row: R): string;
  titleOf(row: R): string;
  columns: readonly ListColumn<R>[];
  facts?(row: R): readonly (readonly [string, ReactNode])[];
  /** More content of one row, below its facts. */
  content?(row: R): ReactNode;
  /** Lists that belong to one row, such as an account's keys. */
  nested?(row: R): readonly Resource<object>[];
  create?: Action<null>;
  /** Set for a list whose rows change without the operator: it is read again each second. */
  live?: boolean;
  actions: readonly Action<R>[];
}

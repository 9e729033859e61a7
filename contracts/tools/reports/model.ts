/** How a finding counts. `error`: it could not be found out. Only `failed` and `error` decide an exit code. */
export type Outcome = 'passed' | 'failed' | 'error' | 'pending' | 'skipped';

/** A text with its label, such as `document`. */
export type Labelled = readonly [label: string, text: string];

/** A part of a finding, such as one difference. */
export interface Part {
  title: string;
  text?: string;
  /** Two values to compare, such as the expected and the actual one. */
  sides?: readonly (readonly [label: string, text: string | undefined])[];
  lines?: readonly Labelled[];
}

export interface Finding {
  outcome: Outcome;
  /** Said in place of the outcome, such as `accepted`. */
  word?: string;
  title: string;
  /** Further words on the line of the title. */
  about?: string;
  durationMs?: number;
  /** A sentence or two. */
  text?: string;
  parts?: readonly Part[];
  lines?: readonly Labelled[];
  /** In place of `lines` on a page, where long texts have room. */
  blocks?: readonly Labelled[];
  /** In JUnit: why it failed or was skipped, in one line, and the type of the failure. */
  message?: string;
  type?: string;
  /** In JUnit; the group's title by default. */
  classname?: string;
  /** The file that it is about. */
  file?: string;
  /** Values by which a page can be filtered, by the filter's label. */
  filters?: Readonly<Record<string, readonly string[]>>;
}

/** Findings with something in common, such as a consumer. A suite in JUnit. */
export interface Group {
  title: string;
  /** Further words beside the title. */
  about?: string;
  /** Default: that of its findings. */
  durationMs?: number;
  findings: readonly Finding[];
}

/** What a tool found, in the form that every renderer reads. All of its texts may be foreign. */
export interface Report {
  /** The tool's name after `passerelle`. */
  tool: string;
  title: string;
  /** What was looked at, such as an address: the end of the title. */
  subject?: string;
  /** One line. */
  summary: string;
  /** Default: that of the worst finding. */
  outcome?: Outcome;
  groups: readonly Group[];
  /** Shorter than findings: an entry is a text. */
  lists?: readonly { title: string; items: readonly string[] }[];
  notes?: readonly string[];
  /** What could not be done. An error in JUnit. */
  unfinished?: readonly string[];
  /** What the reader can do next. */
  next?: string;
  /** Explains something on a page. */
  footnote?: string;
  durationMs?: number;
  /** ISO 8601, UTC. */
  startedAt?: string;
}

export const marks: Readonly<Record<Outcome, string>> = { passed: '✓', failed: '✗', error: '✗', pending: '~', skipped: '-' };

export const worstFirst: readonly Outcome[] = ['failed', 'error', 'pending', 'skipped', 'passed'];

export const hasFailed = ({ outcome }: Finding): boolean => outcome === 'failed' || outcome === 'error';

export const wordOf = ({ word, outcome }: Finding): string => word ?? outcome;

export const labelledOf = (texts: Readonly<Record<string, string | undefined>>): Labelled[] =>
  Object.entries(texts).flatMap(([label, text]) => (text === undefined ? [] : [[label, text]]));

export const findingsOf = ({ groups }: Pick<Report, 'groups'>): Finding[] => groups.flatMap(({ findings }) => findings);

/** Colours have a contrast of at least 4.5 to 1 in both schemes (WCAG 2.2, 1.4.3). Nothing scrolls sideways: long text wraps. */
export const style = `
:root {
  color-scheme: light dark;
  --back: light-dark(#f4f6f9, #11141a);
  --card: light-dark(#fff, #1a1f28);
  --text: light-dark(#1b2130, #e6e9ee);
  --quiet: light-dark(#545d6e, #a6afbe);
  --line: light-dark(#d3d9e3, #323a47);
  --edge: light-dark(#808a9b, #747f90);
  --link: light-dark(#0b57a4, #8abcf7);
  --passed: light-dark(#12642f, #8fdca6);
  --pending: light-dark(#7a4300, #f4c37d);
  --failed: light-dark(#a11622, #ffa9ae);
  --mark: light-dark(#fde2a8, #5a4410);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; }
h3 { font-size: 0.9375rem; margin: 0; }
p, ul, dl, ol { margin: 0.5rem 0; }
code, pre { font: 0.8125rem/1.5 ui-monospace, monospace; }
pre { margin: 0.25rem 0; padding: 0.5rem; background: var(--back); border: 1px solid var(--line); border-radius: 4px; white-space: pre-wrap; unicode-bidi: isolate; }
mark { background: var(--mark); color: inherit; }
.quiet { color: var(--quiet); }
.passed { color: var(--passed); }
.pending { color: var(--pending); }
.failed, .error { color: var(--failed); }
.totals { display: flex; flex-wrap: wrap; gap: 0.75rem; list-style: none; padding: 0; }
.totals li { flex: 1 1 8rem; padding: 0.5rem 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.totals strong { display: block; font-size: 1.5rem; }
.filters { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1rem 0; padding: 0.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
.filters label { flex: 1 1 12rem; min-width: 0; }
.filters select { display: block; width: 100%; padding: 0.35rem; font: inherit; color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: 4px; }
.findings { list-style: none; padding: 0; }
.findings > li { margin: 0 0 0.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 6px; content-visibility: auto; contain-intrinsic-size: auto 2.5rem; }
.findings > li.is-failed, .findings > li.is-error { border-left: 4px solid var(--failed); }
.findings > li.is-pending { border-left: 4px solid var(--pending); }
summary, .row { padding: 0.5rem 0.75rem; }
summary { cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.about { color: var(--quiet); font-size: 0.875rem; }
.details { padding: 0 0.75rem 0.75rem; }
.problem { margin: 0.75rem 0; padding-top: 0.5rem; border-top: 1px solid var(--line); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); gap: 0.5rem; }
.sides > div { min-width: 0; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem; }
@media print { .filters { display: none; } }
`;

/** Hides the findings that a filter leaves out. Selectors see what is selected, so the page needs no script. */
export const hiding = (filter: string, value: number): string =>
  `body:has(#${filter} option[value="${value}"]:checked) .findings > li:not([data-${filter}~="${value}"]) { display: none; }\n`;

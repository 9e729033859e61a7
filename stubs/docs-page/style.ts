/** Colours have a contrast of at least 4.5 to 1 in both schemes (WCAG 2.2, 1.4.3). */
export const css = `
:root { color-scheme: light dark; --back: #fff; --text: #1d2330; --quiet: #565e6d; --line: #d5dae2; --card: #f6f7f9; --link: #0b57a4; --good: #17663a; --bad: #a3261b; }
@media (prefers-color-scheme: dark) { :root { --back: #14171d; --text: #e4e7ec; --quiet: #a4adbb; --line: #333a46; --card: #1c2129; --link: #85b9f5; --good: #7dd3a0; --bad: #ff9d91; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1rem 4rem; max-width: 60rem; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin: 2.5rem 0 1rem; border-bottom: 2px solid var(--line); }
h3 { margin: 0; font-size: 1.05rem; }
h4 { margin: 1rem 0 0.25rem; }
article { margin: 0 0 1rem; padding: 0.75rem 1rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); scroll-margin-top: 1rem; }
.method { display: inline-block; min-width: 3.5rem; font-weight: bold; }
.quiet, .gap { color: var(--quiet); font-size: 0.85rem; }
code, pre, textarea, input { font-family: ui-monospace, monospace; font-size: 0.85rem; }
pre { margin: 0.25rem 0; padding: 0.5rem; border: 1px solid var(--line); border-radius: 0.25rem; background: var(--back); white-space: pre-wrap; }
.fields { margin: 0.25rem 0; padding-left: 1.25rem; }
.fields li { margin: 0.25rem 0; }
label { display: block; margin-top: 0.5rem; color: var(--quiet); font-size: 0.85rem; }
input, textarea { display: block; width: 100%; padding: 0.35rem 0.5rem; border: 1px solid var(--quiet); border-radius: 0.25rem; background: var(--back); color: var(--text); }
button { margin: 0.75rem 0 0; padding: 0.4rem 1rem; border: 1px solid var(--link); border-radius: 0.25rem; background: var(--link); color: var(--back); font: inherit; cursor: pointer; }
.status { margin: 0.75rem 0 0; font-weight: bold; }
.status.good { color: var(--good); }
.status.bad { color: var(--bad); }
summary { cursor: pointer; }
[hidden] { display: none; }
`;

/** Colours have a contrast of at least 4.5 to 1 in both themes (WCAG 2.2, 1.4.3). A line has about 75 characters. */
export const css = `
:root { color-scheme: light dark; --back: light-dark(#fff, #14171d); --text: light-dark(#1d2330, #e4e7ec); --quiet: light-dark(#565e6d, #a4adbb); --line: light-dark(#dde1e8, #333a46); --card: light-dark(#f6f7f9, #1c2129); --link: light-dark(#0b57a4, #85b9f5); --mark: light-dark(#fff3c4, #3d3413); --chosen: light-dark(#e8f0fa, #1f2c3d); --shade: light-dark(rgb(0 0 0 / 25%), rgb(255 255 255 / 30%)); --header: 3.5rem; }
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--header) + 1rem); }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
button, select, input { padding: 0.3rem 0.6rem; border: 1px solid var(--line); border-radius: 0.375rem; background: var(--card); color: var(--text); font: inherit; font-size: 0.875rem; }
button { cursor: pointer; }
.skip { position: absolute; left: -99rem; }
.skip:focus { position: static; }
.site { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; min-height: var(--header); padding: 0.5rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--back); font-size: 0.9375rem; }
.site nav, .site div { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; }
.site div { margin-left: auto; gap: 0.75rem; }
.site a { color: var(--quiet); text-decoration: none; }
.site a:hover { color: var(--text); text-decoration: underline; }
.site a[aria-current] { color: var(--text); font-weight: 600; }
.site .search { min-width: 11rem; padding: 0.3rem 0.6rem; border: 1px solid var(--line); border-radius: 0.375rem; background: var(--card); font-size: 0.875rem; }
kbd { float: right; margin-left: 0.75rem; padding: 0 0.35rem; border: 1px solid var(--line); border-radius: 0.25rem; background: var(--back); font-size: 0.75rem; }
main { min-width: 0; max-width: 52rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
.columns { display: grid; grid-template-columns: 16rem minmax(0, 1fr) 14rem; gap: 0 2rem; max-width: 100rem; margin: 0 auto; }
.columns main { width: 100%; max-width: none; padding: 1rem 0 4rem; }
main > p, main > ul, main > ol, main > blockquote, main > h1 { max-width: 40rem; }
.side { position: sticky; top: var(--header); display: block; inset: auto; width: auto; height: calc(100vh - var(--header)); margin: 0; padding: 1.5rem 1rem; border: 0; background: none; color: inherit; overflow-y: auto; font-size: 0.875rem; line-height: 1.4; }
.side ul { margin: 0; padding: 0; list-style: none; }
.side a { display: block; padding: 0.25rem 0.5rem; border-radius: 0.375rem; color: var(--quiet); text-decoration: none; }
.side a:hover { color: var(--text); background: var(--card); }
.side a[aria-current] { background: var(--chosen); color: var(--link); font-weight: 600; }
.side ul ul { margin: 0.25rem 0 0.5rem 0.5rem; padding-left: 0.5rem; border-left: 1px solid var(--line); }
.side strong { display: block; padding: 0.5rem 0.5rem 0.15rem; color: var(--text); }
.side .deep { padding-left: 1.25rem; }
.close { position: sticky; top: 0; width: 100%; margin-bottom: 0.5rem; }
.side:not(:popover-open) .close { display: none; }
.side:popover-open { padding-top: 0; }
.open-side { display: none; gap: 0.5rem; margin-bottom: 1rem; }
@media (max-width: 78rem) { .columns { grid-template-columns: 15rem minmax(0, 1fr); padding-right: 1.5rem; } .open-side { display: flex; } .open-side [popovertarget=pages] { display: none; } #contents:not(:popover-open) { display: none; } #contents { position: fixed; top: var(--header); right: 0; bottom: 0; width: min(20rem, 90vw); border-left: 1px solid var(--line); background: var(--back); } }
@media (max-width: 56rem) { .columns { display: block; padding: 0 1rem; } .site { position: static; padding: 0.5rem 1rem; } .site div { width: 100%; margin: 0; } .site .search { flex: 1; min-width: 0; } html { scroll-padding-top: 1rem; } .open-side [popovertarget=pages] { display: block; } #pages:not(:popover-open) { display: none; } #pages, #contents { position: fixed; top: 0; bottom: 0; height: auto; width: min(20rem, 90vw); background: var(--back); } #pages { left: 0; border-right: 1px solid var(--line); } }
.side::backdrop, dialog::backdrop { background: rgb(0 0 0 / 40%); }
h1, h2, h3, h4 { line-height: 1.25; }
h1 { margin: 1rem 0; font-size: 2rem; }
h2 { margin: 2.75rem 0 0.75rem; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: 1.375rem; }
h3 { margin: 2rem 0 0.5rem; font-size: 1.125rem; }
code, pre, kbd { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code, pre { font-size: 0.875em; }
code { overflow-wrap: anywhere; }
:not(pre) > code { padding: 0.1em 0.3em; border-radius: 0.25rem; background: var(--card); }
td code { overflow-wrap: break-word; }
.code { position: relative; margin: 1rem 0; }
.code button { position: absolute; top: 0.5rem; right: 0.5rem; padding: 0.1rem 0.5rem; background: var(--back); font-size: 0.75rem; }
.code:has(button) pre { padding-right: 4.5rem; }
@media (max-width: 56rem) { .code { display: flex; flex-direction: column-reverse; } .code button { position: static; align-self: end; margin-bottom: 0.25rem; } .code:has(button) pre { padding-right: 1rem; } }
pre { margin: 0; padding: 0.875rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); line-height: 1.5; }
pre code { font-size: inherit; overflow-wrap: normal; }
img { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
.table { margin: 1rem 0; overflow-x: auto; background: linear-gradient(to right, var(--back) 1rem, transparent) local, linear-gradient(to left, var(--back) 1rem, transparent) right local, linear-gradient(to right, var(--shade), transparent), linear-gradient(to left, var(--shade), transparent) right; background-repeat: no-repeat; background-size: 2rem 100%, 2rem 100%, 0.75rem 100%, 0.75rem 100%; }
table { border-collapse: collapse; font-size: 0.9375rem; line-height: 1.45; }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 4px solid var(--line); color: var(--quiet); }
.long { min-width: 11rem; }
main .pages { max-width: none; columns: 14rem; column-gap: 2rem; }
.note { padding: 0.5rem 1rem; border-radius: 0.5rem; background: var(--mark); }
.around { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 1rem; margin-top: 3rem; }
.around a { flex: 0 1 16rem; padding: 0.6rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; text-decoration: none; }
.around a:last-child:not(:first-child), .around [rel=next] { margin-left: auto; text-align: right; }
.around a:hover { border-color: var(--link); }
.around small { display: block; color: var(--quiet); }
dialog { width: min(40rem, calc(100vw - 2rem)); max-height: calc(100vh - 8rem); margin: 4rem auto auto; padding: 1rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--back); color: inherit; }
form { display: flex; gap: 0.5rem; }
input[name=q] { flex: 1; min-width: 0; padding: 0.6rem 0.75rem; font-size: 1rem; }
.found { margin: 0.75rem 0 0; padding: 0; list-style: none; }
.found a { display: block; padding: 0.6rem 0.75rem; border-radius: 0.5rem; color: inherit; text-decoration: none; }
.found a:hover, .found a:focus-visible { background: var(--chosen); }
.found b { color: var(--link); }
.found small, .found span { display: block; color: var(--quiet); font-size: 0.875rem; }
mark { background: var(--mark); color: inherit; }
article { margin: 0 0 1rem; padding: 0.75rem 1rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); overflow-wrap: anywhere; }
article:target { background: var(--mark); }
article h4 { margin: 0; font-size: 1.05rem; }
.id { margin: 0 0 0.5rem; color: var(--quiet); font-size: 0.85rem; }
main nav ul, dd ul { margin: 0; padding-left: 1.25rem; }
dl { margin: 0; }
dt { margin-top: 0.5rem; color: var(--quiet); font-size: 0.85rem; }
dd { margin: 0; }
q { font-style: italic; }
@media (min-width: 40rem) { dl { display: grid; grid-template-columns: 7rem 1fr; gap: 0.4rem 1rem; } dt { margin-top: 0.15rem; } }
`;

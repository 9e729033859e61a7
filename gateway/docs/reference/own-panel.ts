/** The parts of the reference page for a partner who is signed in to the profile. `own.js` fills and shows them. */

export const ownCss = `
#own-sign-in, #own-open { margin-left: auto; }
#own-open, #own-dialog button { padding: 0.3rem 0.75rem; font: inherit; color: inherit; background: transparent; border: 1px solid currentColor; border-radius: 0.375rem; cursor: pointer; }
#own-open { flex: none; max-width: min(24rem, 40vw); color: var(--scalar-color-1, CanvasText); overflow: hidden; text-overflow: ellipsis; }
#own-dialog { box-sizing: border-box; width: min(34rem, calc(100vw - 2rem)); padding: 1.25rem; font: 0.95rem/1.5 system-ui, sans-serif; color: var(--scalar-color-1, CanvasText); background: var(--scalar-background-1, Canvas); border: 1px solid var(--scalar-border-color, GrayText); border-radius: 0.5rem; overflow-wrap: anywhere; }
#own-dialog::backdrop { background: rgb(0 0 0 / 0.5); }
#own-dialog [hidden] { display: none; }
#own-dialog h2 { margin: 0 0 0.5rem; font-size: 1.15rem; }
#own-dialog form { display: grid; gap: 0.35rem; margin: 0.75rem 0; }
#own-dialog input { box-sizing: border-box; width: 100%; margin-bottom: 0.35rem; padding: 0.4rem 0.6rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--scalar-color-3, GrayText); border-radius: 0.375rem; }
#own-dialog :is(input, button):focus-visible, #own-open:focus-visible { outline: 3px solid Highlight; outline-offset: 2px; }
#own-dialog code { font-family: ui-monospace, monospace; font-size: 0.9em; }
#own-dialog p { margin: 0.5rem 0; }
.own-buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
`;

export const ownLinks = `
<a id="own-sign-in" href="/profile?then=docs" hidden>Sign in to fill in your own credentials</a>
<button id="own-open" type="button" aria-haspopup="dialog" hidden></button>`;

export const ownDialog = `<dialog id="own-dialog" aria-labelledby="own-title">
<h2 id="own-title">Your credentials in the requests</h2>
<p>You are signed in as <strong id="own-name"></strong> (<code id="own-owner"></code>). The ids in the requests of this page are yours.</p>
<form id="own-account" hidden>
<label for="own-key">API key</label>
<input id="own-key" required autocomplete="off" spellcheck="false">
<label for="own-secret">API secret</label>
<input id="own-secret" type="password" required autocomplete="off" aria-describedby="own-about">
<div class="own-buttons"><button type="submit">Get a token</button></div>
</form>
<form id="own-user" hidden>
<label for="own-token">Access token</label>
<input id="own-token" type="password" required autocomplete="off" aria-describedby="own-about">
<div class="own-buttons"><button type="submit">Use this token</button>
<button id="own-create" type="button">Create a token for 8 hours</button></div>
</form>
<p id="own-about">The gateway stores no secrets, only their hashes, so paste yours. It stays in this tab until you reload or close it, or sign out.</p>
<p id="own-once" hidden>The new token, shown once: <code id="own-created"></code></p>
<p id="own-status" role="status"></p>
<div class="own-buttons"><button id="own-forget" type="button" hidden>Forget them</button>
<button id="own-close" type="button">Close</button></div>
</dialog>
`;

// Theme, search and copy buttons of the pages at /docs. It is part of each page, so that the theme is set before anything is shown.
{
  const root = document.documentElement;
  // The API reference keeps its theme under the same name.
  const themeKey = 'colorMode';
  const storedTheme = () => {
    try {
      return localStorage.getItem(themeKey) ?? 'system';
    } catch {
      // The browser forbids storage: the page follows the system.
      return 'system';
    }
  };
  root.dataset.theme = storedTheme();

  const offerThemes = () => {
    const select = document.querySelector('#theme');
    select.value = storedTheme();
    select.hidden = false;
    select.addEventListener('change', () => {
      root.dataset.theme = select.value;
      try {
        localStorage.setItem(themeKey, select.value);
      } catch {}
    });
  };

  const offerCopies = () => {
    // Browsers offer the clipboard only over https and on this machine.
    if (!navigator.clipboard) return;
    const { copy, copied } = document.body.dataset;
    for (const block of document.querySelectorAll('.code')) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = copy;
      button.setAttribute('aria-live', 'polite');
      button.addEventListener('click', async () => {
        await navigator.clipboard.writeText(block.querySelector('code').textContent);
        button.textContent = copied;
      });
      button.addEventListener('blur', () => {
        button.textContent = copy;
      });
      block.append(button);
    }
  };

  const offerSearch = () => {
    const dialog = document.querySelector('dialog');
    const form = dialog.querySelector('form');
    const input = form.querySelector('input');
    // Settles when the results of the text in the field are shown. Undefined if the server did not answer.
    let answer;
    const resultsOf = async (query) => {
      const failure = document.createElement('p');
      failure.setAttribute('role', 'alert');
      failure.textContent = document.body.dataset.noAnswer;
      try {
        const reply = await fetch(`${form.action}?q=${encodeURIComponent(query)}`);
        const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
        return page.querySelector('main .results')?.childNodes ?? [failure];
      } catch {
        return [failure];
      }
    };
    const find = () => {
      const mine = resultsOf(input.value).then((results) => {
        // A later question may have been answered before.
        if (mine !== answer) return;
        dialog.querySelector('.results').replaceChildren(...results);
        if (dialog.querySelector('[role=alert]')) answer = undefined;
      });
      answer = mine;
    };
    const open = () => {
      if (dialog.open) return;
      dialog.showModal();
      input.select();
      // The server makes its index at the first question.
      find();
    };
    input.addEventListener('input', find);
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (!answer) find();
      const mine = answer;
      await mine;
      // The reader may have typed on, or closed the dialog.
      if (mine === answer && dialog.open) dialog.querySelector('.found a')?.click();
    });
    dialog.addEventListener('keydown', (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      const places = [input, ...dialog.querySelectorAll('.found a')];
      places[places.indexOf(document.activeElement) + step]?.focus();
      event.preventDefault();
    });
    dialog.addEventListener('click', (event) => {
      // A click beside the dialog, or on a result on the same page.
      if (event.target === dialog || event.target.closest('a')) dialog.close();
    });
    document.querySelector('.search').addEventListener('click', (event) => {
      event.preventDefault();
      open();
    });
    addEventListener('keydown', (event) => {
      const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
      const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isSlash && !isK) return;
      event.preventDefault();
      open();
    });
  };

  addEventListener('DOMContentLoaded', () => {
    offerThemes();
    offerCopies();
    offerSearch();
    const current = document.querySelector('#pages [aria-current]');
    for (const side of document.querySelectorAll('.side')) {
      const showCurrent = () => {
        if (side.contains(current)) side.scrollTop = current.offsetTop - side.clientHeight / 2;
      };
      showCurrent();
      // A list that is not shown does not scroll.
      side.addEventListener('toggle', showCurrent);
      side.addEventListener('click', (event) => event.target.closest('a') && side.matches(':popover-open') && side.hidePopover());
    }
  });
}

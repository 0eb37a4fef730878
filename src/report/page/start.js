// Puts the sections on the page, one after the other, so that the first is seen at once.
(() => {
  const main = document.getElementById('main'), nav = document.getElementById('nav'), root = document.documentElement;
  const dark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  const theme = el('button.button', {onclick: () => { root.dataset.theme = dark() ? 'light' : 'dark'; say(); drawAll(); }});
  const say = () => { theme.textContent = dark() ? 'Light' : 'Dark'; theme.setAttribute('aria-label', `Change to ${dark() ? 'light' : 'dark'} colours`); };
  say();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { say(); drawAll(); });
  const links = new Map();
  nav.append(el('p.brand', {}, 'tilewright ' + S.verdict.tilewright), el('ul', {}, sections.map(s => {
    const n = s.count ? s.count() : '';
    links.set(s.id, el('a', {href: '#' + s.id}, s.title, n === '' ? null : el('span.count', {}, typeof n === 'number' ? whole(n) : n)));
    return el('li', {}, links.get(s.id));
  })), el('div.tools', {}, theme));
  const waiting = [...sections];
  const next = () => {
    const s = waiting.shift();
    if (!s) {
      main.append(el('footer', {}, `Made by tilewright ${S.verdict.tilewright}. This file needs no network and asks for nothing.`));
      root.dataset.ready = 'true';
      setTimeout(workLater, 50);
      if (location.hash && document.getElementById(location.hash.slice(1))) document.getElementById(location.hash.slice(1)).scrollIntoView();
      return;
    }
    const box = el('section', {id: s.id, 'aria-labelledby': s.id + '-title'},
      s.id === 'verdict' ? el('h2', {id: s.id + '-title', style: {position: 'absolute', left: '-9999px'}}, s.title) : el('h2', {id: s.id + '-title'}, s.title));
    main.append(box);
    s.render(box);
    setTimeout(next, 0);
  };
  next();
  let asked = false;
  const mark = () => {
    asked = false;
    const at = [...main.querySelectorAll('section')].filter(s => s.getBoundingClientRect().top < innerHeight * 0.4).pop();
    for (const [id, link] of links) if (at && id === at.id) link.setAttribute('aria-current', 'true'); else link.removeAttribute('aria-current');
  };
  addEventListener('scroll', () => { if (!asked) { asked = true; requestAnimationFrame(mark); } }, {passive: true});
  mark();
})();

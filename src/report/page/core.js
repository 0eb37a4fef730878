// What all sections use: facts, elements made of text, figures as people read them, hover texts, canvases.
const FACTS = JSON.parse(document.getElementById('facts').textContent);
const T = FACTS.texts, S = FACTS.sections;
const sections = [];
const section = (id, title, about) => sections.push({id, title, ...about});

// Names from programs only ever become text nodes and attributes: nothing of them is read as markup.
function el(tag, about, ...children) {
  const at = tag.indexOf('.');
  const node = document.createElement(at < 0 ? tag : tag.slice(0, at));
  if (at >= 0) node.className = tag.slice(at + 1).replaceAll('.', ' ');
  for (const [key, value] of Object.entries(about || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else if (key === 'style') Object.assign(node.style, value);
    else if (key === 'text') node.textContent = value;
    else node.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== '') node.append(child);
  return node;
}
// Characters that turn the order of text around, or that nobody sees, as their numbers.
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;
const visible = s => s.replace(HIDDEN, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));
const LONG = 400;
const short = s => { s = visible(s); return s.length > LONG ? s.slice(0, LONG / 2) + ' … ' + s.slice(-LONG / 2) : s; };
const name = s => el('span.name', {dir: 'ltr', title: s.length > 60 ? short(s) : null}, short(s));
// Places and causes without the folders of their files.
const brief = s => s.replace(/(^|; )[^;:\s]*\/(?=[^\/;:\s]+:\d)/g, '$1');
// In a narrow cell the middle is cut: what tells names apart stands at their end.
const TAIL = 12;
const ended = s => {
  s = short(s);
  return s.length < 2 * TAIL ? name(s) : el('span.name.ended', {dir: 'ltr', title: s}, el('span', {}, s.slice(0, -TAIL)), el('span', {}, s.slice(-TAIL)));
};
const full = s => el('span.name', {dir: 'ltr'}, visible(s)); // however long
const any = s => el('span.any', {dir: 'ltr'}, short(s));

// ---- figures, as the tables of tw have them ----
const digits = (x, n = 3) => String(Number(x.toPrecision(n)));
function scaled(x, units) {
  let u = 0, a = Math.abs(x);
  while (a >= 1000 && u + 1 < units.length) { a /= 1000; ++u; }
  return (x < 0 ? '-' : '') + (u === 0 ? String(Math.round(a)) : digits(a)) + (units[u] ? ' ' + units[u] : '');
}
const bytes = x => scaled(x, ['B', 'kB', 'MB', 'GB', 'TB', 'PB']);
const count = x => scaled(x, ['', 'k', 'M', 'G', 'T', 'P']).replace(/ $/, '');
const inGroups = new Intl.NumberFormat('en-US');
const whole = x => inGroups.format(x);
const seconds = x => x >= 1 ? digits(x) + ' s' : x >= 1e-3 ? digits(x * 1e3) + ' ms' : x > 0 ? digits(x * 1e6) + ' us' : '0';
const percent = x => x >= 0.0995 ? Math.round(x * 100) + ' %' : x > 0 && x < 0.001 ? 'under 0.1 %' : digits(x * 100, 2) + ' %';
const plural = (n, one, many) => whole(n) + ' ' + (n === 1 ? one : many || one + 's');
// A figure with what it is exactly for whoever points at it.
const figure = (text, exact) => el('span.num', {title: exact}, text);
const exactly = x => whole(x) + ' bytes';

const color = name => getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
const CHOICES = 8;
const swatch = i => el('i.dot', {'aria-hidden': 'true', style: {background: `var(--c${i % CHOICES})`}});

// Work for when the page is there, piece by piece.
const waitingWork = [];
function later(work) { waitingWork.push(work); }
function workLater() {
  const work = waitingWork.shift();
  if (!work) return;
  const more = work();
  if (more) waitingWork.unshift(more);
  setTimeout(workLater, 4);
}

// ---- hover texts ----
const tip = document.getElementById('tip');
function showTip(x, y, ...children) {
  tip.replaceChildren(...children.flat());
  tip.hidden = false;
  const box = tip.getBoundingClientRect(), gap = 14;
  tip.style.left = Math.max(8, Math.min(x + gap, innerWidth - box.width - 8)) + 'px';
  tip.style.top = (y + gap + box.height > innerHeight ? Math.max(8, y - gap - box.height) : y + gap) + 'px';
}
const hideTip = () => { tip.hidden = true; };

// ---- drawings: drawn again when their width or the colours change ----
const plots = [];
function plot(label, height, draw) {
  const canvas = el('canvas', {tabindex: 0, role: 'img', 'aria-label': label, style: {height: height + 'px'}});
  const box = el('div.plot', {}, canvas);
  const again = () => {
    const width = box.clientWidth, ratio = devicePixelRatio || 1;
    if (width === 0) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(canvas.clientHeight * ratio);
    const to = canvas.getContext('2d');
    to.scale(ratio, ratio);
    to.clearRect(0, 0, width, canvas.clientHeight);
    to.font = '12px ' + getComputedStyle(document.body).fontFamily;
    draw(to, width, canvas.clientHeight);
  };
  plots.push(again);
  new ResizeObserver(again).observe(box);
  return {box, canvas, again};
}
const drawAll = () => plots.forEach(draw => draw());

// Steps for an axis from 0: 1, 2 or 5 of some power of ten.
function ticks(most, wanted) {
  const raw = most / wanted, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw) || power * 10;
  const all = [];
  for (let i = 0; i * step <= most * 1.0001; ++i) all.push(i * step);
  return all;
}

// An SVG of the library, drawn in place: it takes the colour of the text around it. What could run, or reach
// beyond the picture, is left out.
function picture(svg, alt) {
  const made = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  if (made.nodeName !== 'svg') return null;
  for (const node of [...made.querySelectorAll('script, style, foreignObject, a, image, animate, set')]) node.remove();
  for (const node of [made, ...made.querySelectorAll('*')])
    for (const {name: key, value} of [...node.attributes]) if (/^on/i.test(key) || (/href$/i.test(key) && !value.startsWith('#'))) node.removeAttribute(key);
  return el('div.picture', {role: 'img', 'aria-label': alt}, document.importNode(made, true));
}

// The drawer: one thing and what is around it. Instructions show what they read and who reads them, with the
// layouts between; never more of the program than that.
const P = S.program;
const program = (() => {
  const n = P.what.length, firstOperand = new Uint32Array(n + 1);
  for (let i = 0; i < n; ++i) firstOperand[i + 1] = firstOperand[i] + P.num_operands[i];
  const def = new Int32Array(P.values.name.length).fill(-1);
  for (let i = 0; i < n; ++i) for (let r = 0; r < P.num_results[i]; ++r) def[P.first_result[i] + r] = i;
  const begin = new Uint32Array(def.length + 1);
  for (const v of P.operands) ++begin[v + 1];
  for (let v = 0; v < def.length; ++v) begin[v + 1] += begin[v];
  const users = new Uint32Array(P.operands.length), next = begin.slice();
  for (let i = 0; i < n; ++i) for (let o = firstOperand[i]; o < firstOperand[i + 1]; ++o) users[next[P.operands[o]]++] = i;
  return {
    size: n, def,
    what: i => T[P.what[i]],
    kind: i => T[P.kind[i]],
    location: i => T[P.location[i]],
    operands: i => P.operands.slice(firstOperand[i], firstOperand[i + 1]),
    results: i => Array.from({length: P.num_results[i]}, (_, r) => P.first_result[i] + r),
    users: v => [...new Set(users.subarray(begin[v], begin[v + 1]))],
    name: v => T[P.values.name[v]], type: v => T[P.values.type[v]], sharding: v => T[P.values.sharding[v]],
    // What an instruction is called: what it makes, else what it reads.
    title: i => { const v = P.num_results[i] ? P.first_result[i] : P.operands[firstOperand[i]]; return v === undefined ? '' : T[P.values.name[v]]; }
  };
})();

const drawer = document.getElementById('drawer');
const seen = []; // what was open before
let opener = null;
function openDrawer(title, kind, children, again) {
  if (drawer.hidden) opener = document.activeElement;
  if (again) seen.push(again);
  const heading = el('h2', {id: 'drawer-title', tabindex: -1}, kind ? el('span.tag', {}, kind) : null, ' ', title);
  drawer.replaceChildren(el('header', {}, heading,
    seen.length > 1 ? el('button.button', {onclick: () => { seen.pop(); seen.pop()(); }}, 'Back') : null,
    el('button.button', {onclick: closeDrawer, 'aria-label': 'Close'}, 'Close')), ...children.flat().filter(Boolean));
  drawer.hidden = false;
  drawer.scrollTop = 0;
  heading.focus({preventScroll: true});
}
function closeDrawer() {
  drawer.hidden = true;
  seen.length = 0;
  if (opener && opener.isConnected) opener.focus({preventScroll: true});
}
addEventListener('keydown', event => { if (event.key === 'Escape') { hideTip(); if (!drawer.hidden) closeDrawer(); } });

const factsList = pairs => el('dl.facts', {}, pairs.filter(p => p && p[1] !== '' && p[1] !== null && p[1] !== undefined)
  .map(([title, value]) => [el('dt', {}, title), el('dd', {}, value)]));
const chainList = lines => el('ol.chain', {tabindex: 0, 'aria-label': 'Why'}, lines.map(line => el('li', {}, short(T[line]))));

// The chain of a row, or of one that is alike where there are too many to have each its own.
function whyOf(V, i, called) {
  if (V.why[i]) return {lines: V.why[i], title: 'Why'};
  const group = V.alike.find(([, members]) => members.includes(i));
  const other = group && group[1].find(member => V.why[member]);
  return other === undefined ? {lines: [], title: 'Why'} : {lines: V.why[other], title: ['Why, of ', name(called(other)), ', which is alike']};
}

const MOST = 40; // neighbours that are listed
function neighbours(i) {
  const layoutOf = v => program.type(v) + ' ' + program.sharding(v);
  const card = (at, v) => el('button.card', {onclick: () => inspect(at)}, el('span.tag', {}, program.what(at)), ' ', name(v === undefined ? program.title(at) : program.name(v)));
  const edge = text => el('div.edge', {}, el('span.mono', {}, text));
  const reads = program.operands(i), makes = program.results(i), list = [];
  for (const v of reads.slice(0, MOST)) list.push(el('li', {}, program.def[v] >= 0 ? card(program.def[v], v) : name(program.name(v)), edge(layoutOf(v))));
  if (reads.length > MOST) list.push(el('li.muted', {}, `and ${whole(reads.length - MOST)} more`));
  list.push(el('li', {}, el('div.here', {'aria-current': 'true'}, program.what(i), ' ', name(program.title(i)))));
  for (const v of makes.slice(0, MOST)) {
    const users = program.users(v);
    list.push(el('li', {}, edge(layoutOf(v)), users.slice(0, MOST).map(u => card(u)), users.length > MOST ? el('div.muted', {}, `and ${whole(users.length - MOST)} more`) : null,
      users.length ? null : el('div.muted', {}, 'read by nothing')));
  }
  return [el('h3', {}, 'What it reads, and who reads it'), el('ul.flow', {}, list)];
}

// An instruction; `about` has more pairs of facts, `why` the lines of a chain.
function inspect(i, about = [], why = null) {
  const id = P.collective[i];
  if (id >= 0 && !why) return inspectCollective(id);
  const kind = program.kind(i);
  if ((kind === 'argument' || kind === 'result') && !why) return inspectValue(kind === 'argument' ? 'arguments' : 'results', P.index[i]);
  openDrawer([full(program.title(i))], program.what(i), [
    factsList([...about, ['type', program.results(i).slice(0, 4).map(v => el('div.mono', {}, program.type(v)))],
      ['sharding', program.results(i).slice(0, 4).map(v => el('div.mono', {}, program.sharding(v)))],
      ['source', program.location(i) ? any(program.location(i)) : ''],
      ['decided by', T[P.cause[i]] && !about.length ? any(T[P.cause[i]]) : '']]),
    why && why.lines.length ? [el('h3', {}, why.title), chainList(why.lines)] : null, ...neighbours(i)], () => inspect(i, about, why));
}

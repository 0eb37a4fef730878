// A table of any length: only the rows that are seen are there. Arrow keys move, Enter opens.
// columns: {title, width, text(row), cell(row)?, sort(row)?, right?, from?}; `from`: the least width of the
// table in which the column is shown.
function makeTable({label, columns, rows, open, order}) {
  const ROW = 34, AROUND = 8;
  const state = {shown: rows, active: -1, sort: order ? order.column : -1, down: order ? order.down : false, first: -1, last: -1};
  const head = el('div.r.head', {role: 'row'});
  const body = el('div.body', {role: 'rowgroup'});
  const grid = el('div.grid', {role: 'grid', tabindex: 0, 'aria-label': label}, el('div', {role: 'rowgroup'}, head), body);
  const texts = new Map();
  let visibleColumns = columns, printing = false;

  const id = i => grid.id + '-' + i;
  grid.id = 'grid-' + (makeTable.count = (makeTable.count || 0) + 1);

  function layOut() {
    const width = grid.clientWidth || 900;
    visibleColumns = columns.filter(c => !c.from || width >= c.from);
    grid.style.setProperty('--columns', visibleColumns.map(c => c.width).join(' '));
    head.style.gridTemplateColumns = visibleColumns.map(c => c.width).join(' ');
    head.replaceChildren(...visibleColumns.map(c => {
      const at = columns.indexOf(c);
      const sorted = state.sort === at ? (state.down ? 'descending' : 'ascending') : c.sort ? 'none' : null;
      return el('div' + (c.right ? '.right' : ''), {role: 'columnheader', 'aria-sort': sorted},
        c.sort ? el('button', {onclick: () => sortBy(at)}, c.title) : c.title);
    }));
    draw(true);
  }
  function sortBy(at) {
    state.down = state.sort === at ? !state.down : Boolean(columns[at].right);
    state.sort = at;
    arrange();
    layOut();
  }
  function arrange() {
    const column = columns[state.sort];
    if (!column || !column.sort) return;
    const keys = new Map(state.shown.map(row => [row, column.sort(row)]));
    const way = state.down ? -1 : 1;
    state.shown = [...state.shown].sort((a, b) => {
      const x = keys.get(a), y = keys.get(b);
      return x < y ? -way : x > y ? way : 0;
    });
  }
  function makeRow(i) {
    const row = state.shown[i];
    return el('div.r' + (open ? '.opens' : '') + (i === state.active ? '.on' : ''), {
      role: 'row', id: id(i), 'aria-rowindex': i + 2, 'aria-selected': i === state.active ? 'true' : 'false',
      style: {top: i * ROW + 'px', gridTemplateColumns: 'var(--columns)'},
      onclick: () => { activate(i); if (open) open(row); }
    }, visibleColumns.map(c => el('div' + (c.right ? '.right' : ''), {role: 'gridcell'}, c.cell ? c.cell(row) : c.text(row))));
  }
  function draw(all) {
    const from = Math.max(0, Math.floor(grid.scrollTop / ROW) - AROUND);
    const to = Math.min(state.shown.length, Math.ceil((grid.scrollTop + (grid.clientHeight || 600)) / ROW) + AROUND);
    const first = printing ? 0 : from, last = printing ? Math.min(state.shown.length, 400) : to;
    if (!all && first === state.first && last === state.last) return;
    [state.first, state.last] = [first, last];
    body.style.height = state.shown.length * ROW + 'px';
    grid.setAttribute('aria-rowcount', state.shown.length + 1);
    const made = [];
    for (let i = first; i < last; ++i) made.push(makeRow(i));
    body.replaceChildren(...made);
  }
  function activate(i) {
    state.active = Math.max(0, Math.min(i, state.shown.length - 1));
    const top = state.active * ROW, seen = grid.clientHeight - 2 * ROW;
    if (top < grid.scrollTop) grid.scrollTop = top;
    if (top > grid.scrollTop + seen) grid.scrollTop = top - seen;
    draw(true);
    grid.setAttribute('aria-activedescendant', id(state.active));
  }
  grid.addEventListener('scroll', () => requestAnimationFrame(() => draw(false)), {passive: true});
  grid.addEventListener('keydown', event => {
    if (event.target !== grid) return;
    const page = Math.max(1, Math.floor(grid.clientHeight / ROW) - 2);
    const to = {ArrowDown: state.active + 1, ArrowUp: state.active - 1, PageDown: state.active + page, PageUp: state.active - page,
      Home: 0, End: state.shown.length - 1}[event.key];
    if (to !== undefined && state.shown.length) { event.preventDefault(); activate(to); }
    if (event.key === 'Enter' && open && state.active >= 0) open(state.shown[state.active]);
  });
  new ResizeObserver(layOut).observe(grid);
  addEventListener('beforeprint', () => { printing = true; draw(true); });
  addEventListener('afterprint', () => { printing = false; draw(true); });

  const searchedColumns = columns.filter(c => !c.right || c.title === 'id'); // figures are not looked for
  const textOf = row => {
    if (!texts.has(row)) texts.set(row, searchedColumns.map(c => c.text(row)).join('\n').toLowerCase());
    return texts.get(row);
  };
  const table = {
    grid,
    // Makes the texts that are searched before somebody searches.
    prepare(of) {
      let i = 0;
      const some = () => {
        const until = performance.now() + 12;
        while (i < of.length && performance.now() < until) textOf(of[i++]);
        return i < of.length ? some : null;
      };
      later(some);
    },
    // Shows those rows of `of` in which every word stands.
    show(of, words) {
      const wanted = (words || '').toLowerCase().split(/\s+/).filter(Boolean);
      state.shown = wanted.length ? of.filter(row => wanted.every(w => textOf(row).includes(w))) : of;
      state.active = -1;
      grid.removeAttribute('aria-activedescendant');
      arrange();
      grid.scrollTop = 0;
      draw(true);
      return state.shown.length;
    }
  };
  arrange();
  layOut();
  return table;
}

// A table with a field to search in it and, where some rows are alike, a choice to see those as one.
function searched({label, noun, columns, rows, folded, open, order, extra}) {
  const table = makeTable({label, columns, rows: folded || rows, open, order});
  const found = el('span.end', {role: 'status'});
  const field = el('input', {type: 'search', placeholder: 'Search', 'aria-label': 'Search ' + label, oninput: again});
  const one = folded ? el('input', {type: 'checkbox', checked: true, onchange: again}) : null;
  function again() {
    const of = one && one.checked ? folded : rows;
    const n = table.show(of, field.value);
    found.textContent = field.value ? `${whole(n)} of ${whole(of.length)}` : plural(rows.length, noun) + (of === rows ? '' : ` in ${plural(of.length, 'row')}`);
  }
  again();
  table.prepare(rows);
  if (folded) table.prepare(folded);
  return el('div', {}, el('div.tools', {}, el('div.grow', {}, field),
    one ? el('label.check', {}, one, 'alike as one') : null, extra || null, found), table.grid);
}

// How many a row stands for, which is never cut off.
const times = (what, n) => el('span.times', {}, what, n > 1 ? el('span.x', {}, '× ' + n) : null);

// Rows that stand for their first member: [first, .., members of it].
function foldedRows(n, alike, textOf) {
  const groupOf = new Map();
  for (const [title, members] of alike) groupOf.set(members[0], {i: members[0], title: T[title], members});
  const inside = new Set(alike.flatMap(([, members]) => members.slice(1)));
  const rows = [];
  for (let i = 0; i < n; ++i) if (!inside.has(i)) rows.push(groupOf.get(i) || {i, title: textOf(i), members: [i]});
  return rows;
}

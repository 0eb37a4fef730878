// The program as a tree: by the scopes that names of places give, or by the layers that repeat. Equal siblings
// are one row. Nothing lays out the whole graph.
const tree = (() => {
  const X = S.timeline.simulated;
  const takes = new Float64Array(program.size);
  if (X) X.instr.forEach((i, step) => { if (i >= 0) takes[i] += X.seconds[step] * X.times[step]; });
  const received = i => P.collective[i] >= 0 ? collectiveBytes(P.collective[i]) : 0;
  const scopesOf = i => {
    const at = program.location(i);
    if (at.includes('/') && !/\.\w+:\d+(:\d+)?$/.test(at)) return at.split('/').slice(0, -1);
    const file = /^(?:.*\/)?([^/]+\.py):(\d+)/.exec(at);
    return file ? [file[1], 'line ' + file[2]] : null;
  };
  const node = (title, kind) => ({title, kind, children: [], byName: new Map(), instr: -1, n: 0, seconds: 0, bytes: 0, moves: 0, times: 1});
  const child = (of, title, kind) => {
    let found = of.byName.get(title);
    if (!found) { found = node(title, kind); of.byName.set(title, found); of.children.push(found); }
    return found;
  };
  const make = () => {
    const root = node('', 'program'), LEAVES = 60;
    for (let i = 0; i < program.size; ++i) {
      const kind = program.kind(i);
      if (kind === 'argument' || kind === 'result') continue;
      let at = root;
      const scopes = scopesOf(i);
      if (scopes) for (const scope of scopes) at = child(at, scope, 'scope');
      else if (P.stack[i] >= 0) at = child(child(at, `repeated layers, part ${P.stack[i] + 1}`, 'stack'), `repeated layer ${P.layer[i]}`, 'scope');
      else if (P.stacks.length) at = child(at, 'outside of repeated layers', 'rest');
      const leaf = node(program.title(i), 'op');
      leaf.instr = i;
      at.children.push(leaf);
    }
    const finish = of => {
      if (of.kind === 'op') {
        of.n = 1; of.seconds = takes[of.instr]; of.bytes = received(of.instr); of.moves = P.collective[of.instr] >= 0 ? 1 : 0;
        of.shape = program.what(of.instr);
        return;
      }
      of.children.forEach(finish);
      for (const c of of.children) { of.n += c.n; of.seconds += c.seconds; of.bytes += c.bytes; of.moves += c.moves; }
      fold(of);
      of.children = of.children.map(c => c.kind === 'stack' && c.children.length === 1 ? c.children[0] : c);
      if (of.children.length > LEAVES * 2 && of.children.every(c => c.kind === 'op')) chunk(of, LEAVES);
      of.shape = of.children.map(c => c.times > 1 ? c.shape + '*' + c.times : c.shape).join(',');
      of.shape = of.n + ':' + hash(of.shape);
    };
    finish(root);
    if (root.children.length === 1 && root.children[0].kind !== 'op') return root.children[0];
    return root;
  };
  const hash = s => { let h = 0; for (let i = 0; i < s.length; ++i) h = (h * 31 + s.charCodeAt(i)) | 0; return h; };
  // Siblings that do the same and are called alike but for numbers, as one.
  function fold(of) {
    const alike = new Map();
    for (const c of of.children) {
      if (c.kind === 'op') continue;
      const key = c.title.replace(/\d+/g, '*') + ' ' + c.shape;
      if (!alike.has(key)) alike.set(key, []);
      alike.get(key).push(c);
    }
    const gone = new Set();
    for (const group of alike.values()) {
      if (group.length < 2) continue;
      const folded = node(group[0].title.replace(/\d+/g, '*'), 'repeat');
      Object.assign(folded, {members: group, children: group[0].children, times: group.length, shape: group[0].shape});
      for (const c of group) { folded.n += c.n; folded.seconds += c.seconds; folded.bytes += c.bytes; folded.moves += c.moves; gone.add(c); }
      of.children[of.children.indexOf(group[0])] = folded;
    }
    of.children = of.children.filter(c => !gone.has(c));
  }
  function chunk(of, size) {
    const parts = [];
    for (let i = 0; i < of.children.length; i += size) {
      const part = node('', 'part');
      part.children = of.children.slice(i, i + size);
      part.title = `${part.children[0].title} … ${part.children[part.children.length - 1].title}`;
      for (const c of part.children) { part.n += c.n; part.seconds += c.seconds; part.bytes += c.bytes; part.moves += c.moves; }
      parts.push(part);
    }
    of.children = parts;
  }
  let made = null;
  return () => made || (made = make());
})();

section('program', 'Program', {
  count: () => S.verdict.ops,
  render(root) {
    const top = tree(), timed = Boolean(S.timeline.simulated), all = (timed ? top.seconds : top.n) || 1;
    const opened = new Set([top]);
    if (top.children.length === 1) opened.add(top.children[0]);
    const flat = () => {
      const rows = [];
      const walk = (of, level) => { for (const c of of.children) { rows.push({of: c, level}); if (opened.has(c)) walk(c, level + 1); } };
      walk(top, 0);
      return rows;
    };
    const every = [];
    for (let i = 0; i < program.size; ++i) if (!['argument', 'result'].includes(program.kind(i))) every.push(i);
    root.append(el('p.lead', {}, plural(every.length, 'instruction'), ' run on every device. Layers that repeat are one row; an op opens with what it reads, who reads it, and the layouts between.'));
    const found = el('span.end', {role: 'status'});
    const field = el('input', {type: 'search', placeholder: 'Search ops, values and places', 'aria-label': 'Search the program', oninput: again});
    const number = el('input', {type: 'checkbox', onchange: again});
    const rowOf = i => ({of: {kind: 'op', instr: i, title: program.title(i), n: 1, seconds: 0, bytes: P.collective[i] >= 0 ? collectiveBytes(P.collective[i]) : 0, moves: P.collective[i] >= 0 ? 1 : 0, times: 1, children: []}, level: 0});
    const press = row => {
      if (row.of.kind === 'op') return inspect(row.of.instr);
      if (opened.has(row.of)) opened.delete(row.of); else opened.add(row.of);
      const at = table.grid.scrollTop;
      again();
      table.grid.scrollTop = at;
    };
    // Which of the siblings that are one row is shown below it.
    const choice = of => el('input', {type: 'number', min: 0, max: of.members.length - 1, value: of.members.findIndex(member => member.children === of.children),
      'aria-label': 'Which of them', title: 'Which of them', onclick: event => event.stopPropagation(), onkeydown: event => event.stopPropagation(), onchange: event => {
        const member = of.members[Math.max(0, Math.min(of.members.length - 1, Number(event.target.value) || 0))];
        of.children = member.children;
        const at = table.grid.scrollTop;
        again();
        table.grid.scrollTop = at;
      }});
    const share = of => timed ? of.seconds : of.n;
    const table = makeTable({label: 'the program', rows: flat(), open: press, columns: [
      {title: 'scope or op', width: 'minmax(180px, 3fr)', text: r => r.of.title + ' ' + (r.of.instr >= 0 ? program.what(r.of.instr) : ''), cell: r => el('span', {style: {paddingLeft: r.level * 16 + 'px'}, 'aria-level': r.level + 1},
        el('span.twist', {'aria-hidden': 'true'}, r.of.kind === 'op' ? '' : opened.has(r.of) ? '▾' : '▸'),
        r.of.kind === 'op' ? [el('span.tag' + (r.of.moves ? '.warn' : ''), {}, program.what(r.of.instr)), ' ', name(r.of.title)] : [el('span.any', {}, short(r.of.title)), r.of.times > 1 ? [el('b', {}, ` × ${r.of.times} `), opened.has(r.of) ? choice(r.of) : null] : null])},
      {title: 'type and sharding', width: 'minmax(120px, 2fr)', from: 720, text: r => r.of.kind === 'op' ? program.results(r.of.instr).map(v => program.type(v) + ' ' + program.sharding(v)).join(' ') : '',
        cell: r => r.of.kind === 'op' ? el('span.mono', {}, short(program.results(r.of.instr).slice(0, 2).map(v => program.type(v) + ' ' + program.sharding(v)).join('  '))) : ''},
      {title: 'ops', width: '64px', right: true, from: 480, text: r => whole(r.of.n)},
      {title: 'received', width: 'minmax(72px, .7fr)', right: true, text: r => r.of.bytes ? bytes(r.of.bytes) : ''},
      ...(timed ? [{title: 'time', width: 'minmax(72px, .7fr)', right: true, text: r => r.of.seconds > 0 ? seconds(r.of.seconds) : ''},
        {title: 'share', width: '92px', from: 640, text: r => r.of.seconds > 0 ? percent(share(r.of) / all) : '', cell: r => r.of.seconds > 0 ? [el('span.meter', {style: {width: Math.max(1, share(r.of) / all * 44) + 'px'}}), ' ', el('span.num.muted', {}, percent(share(r.of) / all))] : ''}] : []),
      {title: 'source', width: 'minmax(100px, 1.2fr)', from: 980, text: r => r.of.kind === 'op' ? program.location(r.of.instr) : '', cell: r => r.of.kind === 'op' ? el('span.muted', {}, any(brief(program.location(r.of.instr)))) : ''}]});
    const moving = el('label.check', {}, number, 'collectives only');
    let searchRows = null;
    later(() => { searchRows = searchRows || every.map(rowOf); table.prepare(searchRows); });
    function again() {
      if (!field.value && !number.checked) { table.show(flat(), ''); found.textContent = plural(every.length, 'instruction'); return; }
      searchRows = searchRows || every.map(rowOf);
      const of = number.checked ? searchRows.filter(r => r.of.moves) : searchRows;
      found.textContent = `${whole(table.show(of, field.value))} of ${whole(of.length)}`;
    }
    again();
    root.append(el('div.tools', {}, el('div.grow', {}, field), moving, el('button.button', {onclick: () => { opened.clear(); opened.add(top); again(); }}, 'Close all'), found), table.grid);
  }
});

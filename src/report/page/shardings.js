// Arguments and results: how each is cut, what a device has of it, and why.
const shapeText = shape => '[' + shape.join(', ') + ']';

function inspectValue(which, i) {
  const A = S.shardings[which], locals = A.locals[i];
  const instr = program.signature[which][i], why = whyOf(A, i, at => T[A.name[at]]);
  openDrawer([full(T[A.name[i]])], which === 'arguments' ? 'argument' : 'result', [
    factsList([['type', el('span.mono', {}, T[A.type[i]])], ['sharding', el('span.mono', {}, T[A.sharding[i]])],
      ['on device 0', el('span.mono', {}, shapeText(A.local[i]))],
      ['elsewhere', locals ? locals.map(([shape, n]) => el('div', {}, el('span.mono', {}, shapeText(shape)), ` on ${plural(n, 'device')}`)) : ''],
      ['a device has', figure(bytes(A.bytes[i]), exactly(A.bytes[i]))],
      ['decided by', T[A.cause[i]] ? any(T[A.cause[i]]) : 'no action']]),
    A.picture && A.picture[i] !== -1 ? picture(T[A.picture[i]], `${T[A.type[i]]} ${T[A.sharding[i]]}`) : null,
    why.lines.length ? [el('h3', {}, why.title), chainList(why.lines)] : null,
    instr === undefined ? null : neighbours(instr)], () => inspectValue(which, i));
}

section('shardings', 'Shardings', {
  count: () => S.shardings.arguments.name.length + S.shardings.results.name.length,
  render(root) {
    const A = S.shardings.arguments, R = S.shardings.results;
    program.signature = {arguments: [], results: []};
    for (let i = 0; i < program.size; ++i) {
      const kind = program.kind(i);
      if (kind === 'argument' || kind === 'result') program.signature[kind + 's'][P.index[i]] = i;
    }
    const sum = values => values.bytes.reduce((a, b) => a + b, 0);
    root.append(el('p.lead', {}, 'A device holds ', el('b', {title: exactly(sum(A))}, bytes(sum(A))), ` of ${plural(A.name.length, 'argument')} and hands out `,
      el('b', {title: exactly(sum(R))}, bytes(sum(R))), ` of ${plural(R.name.length, 'result')}. A row opens with the tiles and the reason.`));
    const list = (which, V, noun) => {
      if (!V.name.length) return el('p.empty', {}, `There are no ${which}.`);
      const folded = V.alike.length ? foldedRows(V.name.length, V.alike, i => T[V.name[i]]) : null;
      const rows = folded ? V.name.map((_, i) => ({i, title: T[V.name[i]], members: [i]})) : foldedRows(V.name.length, [], i => T[V.name[i]]);
      return searched({
        label: which, noun, rows, folded, open: row => inspectValue(which, row.i),
        columns: [
          {title: noun, width: 'minmax(150px, 2.2fr)', text: r => r.title, sort: r => r.title, cell: r => times(ended(r.title), r.members.length)},
          {title: 'type', width: 'minmax(90px, 1.2fr)', from: 560, text: r => T[V.type[r.i]], sort: r => T[V.type[r.i]], cell: r => el('span.mono', {}, T[V.type[r.i]])},
          {title: 'sharding', width: 'minmax(70px, 1.4fr)', text: r => T[V.sharding[r.i]], sort: r => T[V.sharding[r.i]], cell: r => el('span.mono', {}, T[V.sharding[r.i]])},
          {title: 'on a device', width: 'minmax(66px, 0.8fr)', right: true, text: r => bytes(V.bytes[r.i]), sort: r => V.bytes[r.i] * r.members.length,
            cell: r => figure(bytes(V.bytes[r.i]), exactly(V.bytes[r.i]))},
          {title: 'decided by', width: 'minmax(100px, 1.6fr)', from: 820, text: r => T[V.cause[r.i]], sort: r => T[V.cause[r.i]], cell: r => el('span.muted', {}, any(brief(T[V.cause[r.i]])))}]
      });
    };
    root.append(el('h3', {}, 'Arguments'), list('arguments', A, 'argument'), el('h3', {}, 'Results'), list('results', R, 'result'));
  }
});

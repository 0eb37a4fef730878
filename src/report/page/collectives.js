// What moves: how much, how long, over which axes, and the chain that asked for it.
const C = S.collectives;
const collectiveBytes = i => C.bytes_received[i] * C.times[i];
const collectiveSeconds = i => C.seconds && C.seconds[i] !== null ? C.seconds[i] * C.times[i] : 0;
const kindOf = i => T[C.kind[i]] + (T[C.reduction[i]] ? ' ' + T[C.reduction[i]] : '');

function inspectCollective(i) {
  const plan = C.plan[i], values = C.values[i];
  inspect(C.instr[i], [
    ['kind', `${kindOf(i)} over ${T[C.axes[i]]}`], ['of', el('span.mono', {}, T[C.type[i]])], ['a device gives', el('span.mono', {}, T[C.local_type[i]])],
    ['received', figure(`${bytes(C.bytes_received[i])}${C.times[i] > 1 ? `, ${whole(C.times[i])} times a step` : ''}`, exactly(C.bytes_received[i]))],
    ['takes', C.seconds && C.seconds[i] !== null ? seconds(C.seconds[i]) + (C.times[i] > 1 ? ' each time' : '') : ''],
    ['goes', plan ? `${plan.method} in ${plural(plan.steps, 'step')}; by level ${plan.bytes_by_level.map(bytes).join(', ')}` : ''],
    ['moves together', values ? values.slice(0, 30).map((v, at) => [at ? ', ' : '', name(T[v])]) : ''],
    ['op', T[C.op[i]]], ['asked for by', T[C.cause[i]] ? any(T[C.cause[i]]) : '']], whyOf(C, i, at => T[C.value[at]]));
}

section('collectives', 'Collectives', {
  count: () => C.kind.length,
  render(root) {
    const n = C.kind.length;
    if (!n) return root.append(el('p.empty', {}, 'Nothing moves between devices.'));
    const every = C.kind.map((_, i) => i);
    const timed = Boolean(C.seconds), weight = timed ? collectiveSeconds : collectiveBytes, show = timed ? seconds : bytes;
    const all = every.reduce((sum, i) => sum + weight(i), 0) || 1;
    // By kind and axes, the dearest first.
    const kinds = new Map();
    for (const i of every) {
      const key = `${kindOf(i)} over ${T[C.axes[i]]}`;
      const of = kinds.get(key) || {key, n: 0, weight: 0, bytes: 0};
      of.n += 1; of.weight += weight(i); of.bytes += collectiveBytes(i);
      kinds.set(key, of);
    }
    const sorted = [...kinds.values()].sort((a, b) => b.weight - a.weight);
    root.append(el('p.lead', {}, `${plural(n, 'collective')} of ${plural(sorted.length, 'kind')}; the busiest device receives `,
      el('b', {title: exactly(S.verdict.bytes_received.max)}, bytes(S.verdict.bytes_received.max)), ' a step. A row opens with the two sides and the action behind it.'),
    el('div.bar', {role: 'img', 'aria-label': 'Share by kind and axis'}, sorted.map((k, c) => el('span', {style: {width: k.weight / all * 100 + '%', background: `var(--c${c % CHOICES})`}}))),
    el('ul.legend', {}, sorted.map((k, c) => el('li', {}, swatch(c), `${whole(k.n)} `, any(k.key), ' ', el('b', {title: exactly(k.bytes)}, show(k.weight))))));
    const sum = (row, f) => row.members.reduce((a, i) => a + f(i), 0);
    const folded = C.alike.length ? foldedRows(n, C.alike, i => T[C.value[i]]) : null;
    const rows = every.map(i => ({i, title: T[C.value[i]], members: [i]}));
    const columns = [
      {title: 'id', width: '48px', right: true, from: 520, text: r => String(r.i), sort: r => r.i, cell: r => el('span.muted', {}, String(r.i))},
      {title: 'kind', width: 'minmax(112px, 1.3fr)', text: r => kindOf(r.i), sort: r => kindOf(r.i), cell: r => times(el('span', {}, kindOf(r.i)), r.members.length)},
      {title: 'over', width: 'minmax(50px, .7fr)', text: r => T[C.axes[r.i]], sort: r => T[C.axes[r.i]], cell: r => name(T[C.axes[r.i]])},
      {title: 'of', width: 'minmax(90px, 1.1fr)', from: 700, text: r => T[C.type[r.i]], sort: r => T[C.type[r.i]], cell: r => el('span.mono', {}, T[C.type[r.i]])},
      {title: 'received', width: 'minmax(66px, .7fr)', right: true, text: r => bytes(sum(r, collectiveBytes)), sort: r => sum(r, collectiveBytes), cell: r => figure(bytes(sum(r, collectiveBytes)), exactly(sum(r, collectiveBytes)))},
      ...(timed ? [{title: 'time', width: 'minmax(66px, .7fr)', right: true, text: r => seconds(sum(r, collectiveSeconds)), sort: r => sum(r, collectiveSeconds), cell: r => figure(seconds(sum(r, collectiveSeconds)), sum(r, collectiveSeconds) + ' s')}] : []),
      {title: 'value', width: 'minmax(70px, .9fr)', from: 900, text: r => r.title, sort: r => r.title, cell: r => name(r.title)},
      {title: 'source', width: 'minmax(90px, 1.1fr)', from: 980, text: r => T[C.location[r.i]], sort: r => T[C.location[r.i]], cell: r => el('span.muted', {}, any(brief(T[C.location[r.i]])))},
      {title: 'asked for by', width: 'minmax(100px, 1.3fr)', from: 820, text: r => T[C.cause[r.i]], sort: r => T[C.cause[r.i]], cell: r => el('span.muted', {}, any(brief(T[C.cause[r.i]])))}];
    const at = columns.findIndex(c => c.title === (timed ? 'time' : 'received'));
    root.append(searched({label: 'collectives', noun: 'collective', rows, folded, columns, order: {column: at, down: true}, open: row => inspectCollective(row.i)}));
  }
});

// What was left open, and where neighbours disagree: each way with what the program would receive.
section('conflicts', 'Conflicts', {
  count: () => S.conflicts.conflicts.kind.length,
  render(root) {
    const received = S.verdict.bytes_received.max;
    const best = (K, i) => Math.min(0, ...K.ways[i].map(w => w[3] === null ? 0 : w[3]));
    const wayText = w => w[2] === null ? (w[4] ? 'cannot be' : 'not counted') : bytes(w[2]);
    const open = (K, i) => openDrawer([full(T[K.value[i]])], `${T[K.kind[i]]} on ${T[K.axis[i]]}`, [
      factsList([['op', T[K.op[i]]], ['source', T[K.location[i]] ? any(T[K.location[i]]) : ''], ['as it stands', figure(bytes(received), exactly(received)) ]]),
      el('h3', {}, 'Ways, and what the busiest device would receive'),
      el('ul.list', {}, K.ways[i].map(w => el('li', {}, el('b', {}, short(T[w[0]])), ' ', figure(wayText(w), w[2] === null ? null : exactly(w[2])),
        w[3] ? el('span.tag' + (w[3] < 0 ? '.good' : '.warn'), {}, (w[3] < 0 ? '−' : '+') + bytes(Math.abs(w[3]))) : '', el('div.muted', {}, 'from ', T[w[1]] ? any(T[w[1]]) : 'the program'))))],
    () => open(K, i));
    const list = (K, noun) => {
      const rows = K.kind.map((_, i) => i);
      return searched({label: noun + 's', noun, rows, open: i => open(K, i), order: {column: 4, down: false}, columns: [
        {title: 'kind', width: 'minmax(80px, .8fr)', text: i => T[K.kind[i]], sort: i => T[K.kind[i]]},
        {title: 'axis', width: 'minmax(60px, .7fr)', text: i => T[K.axis[i]], sort: i => T[K.axis[i]], cell: i => name(T[K.axis[i]])},
        {title: 'at', width: 'minmax(110px, 1.6fr)', text: i => T[K.value[i]] + ' ' + T[K.op[i]], sort: i => T[K.value[i]], cell: i => [name(T[K.value[i]]), el('span.muted', {}, ' ' + T[K.op[i]])]},
        {title: 'ways', width: 'minmax(120px, 1.8fr)', from: 620, text: i => K.ways[i].map(w => `${T[w[0]]}: ${wayText(w)}`).join('; ')},
        {title: 'best way saves', width: 'minmax(86px, .8fr)', right: true, text: i => best(K, i) < 0 ? bytes(-best(K, i)) : '–', sort: i => best(K, i)},
        {title: 'source', width: 'minmax(100px, 1fr)', from: 900, text: i => T[K.location[i]], sort: i => T[K.location[i]], cell: i => el('span.muted', {}, any(brief(T[K.location[i]])))}]});
    };
    const {conflicts, disagreements} = S.conflicts;
    root.append(el('p.lead', {}, conflicts.kind.length ? `${plural(conflicts.kind.length, 'choice')} left open: an action on either side decides.` : 'Nothing was left open.', ' Each way says what the busiest device would receive, were it alone decided.'));
    if (conflicts.kind.length) root.append(list(conflicts, 'conflict'));
    const moving = disagreements.moves.filter(Boolean).length;
    if (disagreements.kind.length) root.append(el('h3', {}, 'Disagreements'), el('p.lead', {}, `${plural(disagreements.kind.length, 'place')} where decided neighbours want other layouts; at ${whole(moving)} something moves.`), list(disagreements, 'disagreement'));
  }
});
